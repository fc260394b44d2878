/* Runs the box's image in simavr, either in virtual time, told what to do line by line, or on a pty in real time.
 *
 *   rig box.elf BOARD          virtual time. Lines in, cycles of 16 MHz:
 *     p CYCLE BUTTON CLOSED    a switch
 *     b CYCLE HEX              bytes of the host begin to arrive
 *     r CYCLE                  run; out come "u CYCLE BYTE" (its end on the line), "l CYCLE MASK" and a "."
 *     x                        reset
 *   rig box.elf BOARD LINK     real time: LINK names a pty; lines in: "p 0 BUTTON CLOSED", "x", "l" (prints the mask)
 *
 * BOARD is the board's id, 16 hex digits, written to the EEPROM.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "avr_eeprom.h"
#include "avr_ioport.h"
#include "avr_uart.h"
#include "sim_avr.h"
#include "sim_elf.h"
#include "sim_interrupts.h"

#define BYTE 1360 /* cycles */
#define MANY 8192

static avr_t *avr;
static avr_irq_t *uart_in, *buttons[7];
static uint8_t lamps;
static int line = -1;

typedef struct {
    avr_cycle_count_t at;
    uint8_t kind, what, value; /* 'p' or 'b' */
} due_t;
static due_t dues[MANY];
static int due_first, due_end;

static avr_cycle_count_t stop; /* when the rig has something to do next */

/* No time of the world passes. The simulator sleeps until its next timer, even when ours has just run out while it
 * went to sleep, or when an interrupt waits since `sei`: a real chip wakes at once. Those cycles are taken back. */
static void no_sleep(avr_t *a, avr_cycle_count_t how_long) {
    avr_cycle_count_t most = a->cycle < stop ? stop - a->cycle : 0;
    if (avr_has_pending_interrupts(a)) most = 0;
    if (how_long > most) a->cycle -= how_long - most;
}

static avr_cycle_count_t wake(avr_t *a, avr_cycle_count_t when, void *param) {
    (void)a, (void)when, (void)param;
    return 0;
}

static void put_due(avr_cycle_count_t at, uint8_t kind, uint8_t what, uint8_t value) {
    if (due_end == MANY) { /* close the gap that is done */
        memmove(dues, dues + due_first, (due_end - due_first) * sizeof *dues);
        due_end -= due_first;
        due_first = 0;
    }
    int place = due_end++;
    if (due_end > MANY) exit(3);
    for (; place > due_first && dues[place - 1].at > at; place--) dues[place] = dues[place - 1];
    dues[place] = (due_t){at, kind, what, value};
}

static void run_until(avr_cycle_count_t until) {
    for (;;) {
        while (due_first < due_end && dues[due_first].at <= avr->cycle) {
            due_t due = dues[due_first++];
            if (due.kind == 'p') avr_raise_irq(buttons[due.what], !due.value);
            else avr_raise_irq(uart_in, due.value);
        }
        if (due_first == due_end) due_first = due_end = 0;
        if (avr->cycle >= until) return;
        stop = until;
        if (due_first < due_end && dues[due_first].at < stop) stop = dues[due_first].at;
        avr_cycle_timer_register(avr, stop - avr->cycle, wake, NULL);
        while (avr->cycle < stop) {
            int state = avr_run(avr);
            if (state == cpu_Done || state == cpu_Crashed) exit(4);
        }
    }
}

static void uart_out(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    uint8_t byte = value;
    if (line < 0) printf("u %llu %02x\n", (unsigned long long)(avr->cycle + BYTE), byte);
    else if (write(line, &byte, 1) != 1) return; /* nobody reads: a serial line does not wait either */
}

static void lamp(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    int number = (int)(intptr_t)param;
    lamps = (lamps & ~(1 << number)) | ((value & 1) << number);
    if (line < 0) printf("l %llu %02x\n", (unsigned long long)avr->cycle, lamps);
}

static void attach(const char *board) {
    uint8_t eeprom[10] = {0, 0};
    for (int i = 0; i < 8; i++) sscanf(board + 2 * i, "%2hhx", &eeprom[2 + i]);
    avr_eeprom_desc_t desc = {.ee = eeprom, .offset = 0, .size = sizeof eeprom};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &desc);
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    uart_in = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), uart_out, NULL);
    for (int i = 0; i < 7; i++) {
        buttons[i] = i < 6 ? avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), i + 2)
                           : avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 0);
        avr_raise_irq(buttons[i], 1);
    }
    for (int i = 0; i < 6; i++)
        avr_irq_register_notify(
            avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), i), lamp, (void *)(intptr_t)i);
}

static void reset(void) {
    avr_reset(avr);
    for (int i = 0; i < 7; i++) avr_raise_irq(buttons[i], 1);
}

static void obey(char *text) {
    static avr_cycle_count_t last;
    unsigned long long at;
    unsigned what, value;
    if (sscanf(text, "p %llu %u %u", &at, &what, &value) == 3 && what < 7) {
        if (line >= 0) { /* lines that come at once are a switch that moves each 0.1 ms */
            at = last + 1600 > avr->cycle ? last + 1600 : avr->cycle;
            last = at;
        }
        put_due(at, 'p', what, value);
    } else if (sscanf(text, "b %llu", &at) == 1) {
        char *hex = strchr(text + 2, ' ');
        for (hex++; sscanf(hex, "%2x", &value) == 1; hex += 2, at += BYTE) put_due(at, 'b', 0, value);
    } else if (sscanf(text, "r %llu", &at) == 1) {
        run_until(at);
        puts(".");
        fflush(stdout);
    } else if (text[0] == 'x') {
        reset();
    } else if (text[0] == 'l') {
        printf("%02x\n", lamps);
        fflush(stdout);
    }
}

static uint64_t real_cycles(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 16000000 + (uint64_t)now.tv_nsec * 16 / 1000;
}

static void real_time(const char *link) {
    int far;
    char name[128], text[4096];
    if (openpty(&line, &far, name, NULL, NULL)) exit(5);
    struct termios raw;
    tcgetattr(far, &raw);
    cfmakeraw(&raw);
    tcsetattr(far, TCSANOW, &raw);
    fcntl(line, F_SETFL, O_NONBLOCK);
    fcntl(0, F_SETFL, O_NONBLOCK);
    unlink(link);
    if (symlink(name, link)) exit(6);
    uint64_t base = real_cycles() - avr->cycle;
    avr_cycle_count_t free_at = 0; /* when the line has carried all bytes read so far */
    struct pollfd fds[2] = {{.fd = 0, .events = POLLIN}, {.fd = line, .events = POLLIN}};
    for (;;) {
        uint64_t now = real_cycles() - base;
        if (now > avr->cycle + 8000000) base += now - avr->cycle - 16000, now = avr->cycle + 16000;
        run_until(now);
        struct timespec nap = {0, 200000};
        ppoll(fds, 2, &nap, NULL);
        ssize_t size = read(0, text, sizeof text - 1);
        if (size == 0) return; /* the test has ended */
        for (char *each = size > 0 ? (text[size] = 0, strtok(text, "\n")) : NULL; each; each = strtok(NULL, "\n"))
            obey(each);
        uint8_t bytes[64];
        size = due_end - due_first < MANY / 2 ? read(line, bytes, sizeof bytes) : 0;
        if (free_at < avr->cycle) free_at = avr->cycle;
        for (ssize_t i = 0; i < size; i++, free_at += BYTE) put_due(free_at, 'b', 0, bytes[i]);
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    signal(SIGPIPE, SIG_IGN);
    elf_firmware_t image = {{0}};
    if (elf_read_firmware(argv[1], &image)) return 2;
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    image.frequency = 16000000;
    avr_load_firmware(avr, &image);
    avr->log = LOG_ERROR;
    avr->sleep = no_sleep;
    attach(argv[2]);
    if (argc > 3) {
        real_time(argv[3]);
        return 0;
    }
    char text[65536];
    while (fgets(text, sizeof text, stdin)) obey(text);
    return 0;
}
