/* A button box on an Arduino UNO or Nano (ATmega328P, 16 MHz): seven buttons, six lamps, one serial line.
 *
 * Every edge is stamped in its interrupt with a clock of 0.5 us; what it means is decided outside. The line is
 * told in firmware_profiles/README.md. Between interrupts the processor sleeps.
 *
 * Buttons between D2..D7 (players 1..6), D8 (the table's) and ground; lamps between A0..A5 and ground, each with
 * its resistor.
 */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>
#include <string.h>
#include <util/atomic.h>
#include <util/crc16.h>

#include "debounce.h"

#define VERSION 1
#define FIRMWARE 1
#define BUTTONS 7
#define LAMPS 6
#define HZ 2000000UL
#define BYTE_US 85   /* 10 bits of 8.5 us: 16 MHz / 8 / 17 */
#define TEN_MS 20000UL
#define RETRY 16000UL      /* 8 ms: an event is said again */
#define SLOW_RETRY 1000000UL /* 0.5 s: nobody listens */
#define BEAT 1000000UL     /* 0.5 s */
#define ATTENTION 4000000UL  /* 2 s after the last word of the host */
#define LONGEST 48

enum { HELLO = 0x01, TOLD, FENCED, BEAT_WORD, DONE, WHO = 0x11, FENCE, ACK, LIGHT };

/* ---- the clock -------------------------------------------------------------------------------------------- */

static volatile uint16_t wraps;

ISR(TIMER1_OVF_vect) { wraps++; }

/* Ticks now. Interrupts must be off. */
static inline uint32_t ticks_off(void) {
    uint16_t low = TCNT1;
    uint16_t high = wraps;
    if ((TIFR1 & _BV(TOV1)) && low < 0x8000) high++;
    return ((uint32_t)high << 16) | low;
}

static uint32_t ticks(void) {
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { now = ticks_off(); }
    return now;
}

ISR(TIMER2_COMPA_vect) {} /* each millisecond: wakes the loop */

/* ---- edges ------------------------------------------------------------------------------------------------ */

#define EDGES 32
static volatile struct {
    uint32_t at;
    uint8_t levels;
} edges[EDGES];
static volatile uint8_t edge_in, edge_out, lost;

static inline uint8_t pressed(void) { return ((~PIND >> 2) & 0x3F) | ((~PINB & 1) << 6); }

static inline void edge_seen(void) {
    uint32_t at = ticks_off();
    uint8_t next = (edge_in + 1) % EDGES;
    if (next == edge_out) {
        lost++;
        return;
    }
    edges[edge_in].at = at;
    edges[edge_in].levels = pressed();
    edge_in = next;
}

ISR(PCINT2_vect) { edge_seen(); }
ISR(PCINT0_vect) { edge_seen(); }

/* ---- the line, inwards ------------------------------------------------------------------------------------ */

#define IN 64
static volatile uint8_t in[IN], in_in, in_out;
static volatile uint32_t heard_at; /* the end of the newest frame: a little late if two come at once, never early */

ISR(USART_RX_vect) {
    uint8_t byte = UDR0;
    uint8_t next = (in_in + 1) % IN;
    if (!byte) heard_at = ticks_off();
    if (next == in_out) return; /* the checks will find it */
    in[in_in] = byte;
    in_in = next;
}

/* ---- the line, outwards ----------------------------------------------------------------------------------- */

#define OUT 128
static volatile uint8_t out[OUT];
static volatile uint8_t out_in, out_out;

ISR(USART_UDRE_vect) {
    if (out_in == out_out) {
        UCSR0B &= ~_BV(UDRIE0);
        return;
    }
    UDR0 = out[out_out];
    out_out = (out_out + 1) % OUT;
}

static void put(uint8_t byte) {
    out[out_in] = byte;
    out_in = (out_in + 1) % OUT;
}

static uint8_t room(void) { return (uint8_t)(out_out - out_in - 1) % OUT; }

static void checks(const uint8_t *content, uint8_t size, uint8_t *three) {
    uint16_t crc = 0xFFFF;
    uint8_t sum = 0;
    for (uint8_t i = 0; i < size; i++) {
        crc = _crc_xmodem_update(crc, content[i]);
        sum += content[i];
    }
    three[0] = crc >> 8;
    three[1] = crc;
    three[2] = sum;
}

/* Send a content; it must have room for three more bytes. A full line drops it: what matters is said again. */
static void say(uint8_t *content, uint8_t size) {
    checks(content, size, content + size);
    size += 3;
    if (room() < size + 2) return;
    uint8_t run = 0;
    for (uint8_t i = 0; i <= size; i++) {
        if (i == size || content[i] == 0) {
            put(i - run + 1);
            for (; run < i; run++) put(content[run]);
            run++;
        }
    }
    put(0);
    UCSR0B |= _BV(UDRIE0);
}

#define SPARE 48 /* bytes of the line kept free of events: answers must get through however many buttons move */

/* ---- what the box knows ----------------------------------------------------------------------------------- */

#define ROOM 16
typedef struct {
    uint8_t number, key;
    uint32_t at;
    uint8_t levels, high;
} event_t; /* as it goes out, behind its kind and the start's number */
static event_t waiting[ROOM];
static uint8_t first, count, number, bad;
static uint32_t retry, beat, attended;
static contact_t contacts[BUTTONS];
static uint8_t levels, before; /* buttons that are told as down; levels of the newest edge that was heard */

/* Words as they go out: the AVR is little-endian and packs without gaps, as the line does. */
static struct {
    uint8_t kind, version;
    uint16_t firmware;
    uint8_t buttons, lamps;
    uint32_t hz;
    uint8_t caps;
    uint16_t boot;
    uint8_t number, byte_us, board[8], room[3];
} hello = {HELLO, VERSION, FIRMWARE, BUTTONS, LAMPS, HZ, 0, 0, 0, BYTE_US, {0}, {0}};
#define BOOT ((uint8_t)hello.boot)

static struct {
    uint8_t kind, boot_low;
    uint32_t ticks;
    uint8_t number, lost, bad, levels, high, room[3];
} beat_word;

static struct {
    uint8_t kind, token, boot_low;
    uint32_t heard, said;
    uint8_t number, room[3];
} fence_word;

static struct {
    uint8_t kind, boot_low;
    event_t event;
    uint8_t room[3];
} event_word;

static void say_hello(void) {
    hello.number = number;
    say(&hello.kind, 23);
}

static void say_event(const event_t *event) {
    event_word.kind = TOLD;
    event_word.boot_low = BOOT;
    event_word.event = *event;
    say(&event_word.kind, 10);
}

static void say_events(void) {
    for (uint8_t i = 0; i < count && room() > SPARE; i++)
        say_event(&waiting[(first + i) % ROOM]);
    uint32_t now = ticks();
    retry = now + (reached(now, attended + ATTENTION) ? SLOW_RETRY : RETRY);
}

static void say_beat(uint32_t now) {
    beat_word.kind = BEAT_WORD;
    beat_word.boot_low = BOOT;
    beat_word.ticks = now;
    beat_word.number = number;
    beat_word.lost = lost;
    beat_word.bad = bad;
    beat_word.levels = levels;
    say(&beat_word.kind, 11);
}

static void event(uint8_t button, uint8_t down, uint32_t at) {
    uint8_t mask = 1 << button;
    if (down) levels |= mask;
    else levels &= ~mask;
    if (count == ROOM) {
        lost++;
        return;
    }
    event_t *told = &waiting[(first + count) % ROOM];
    told->number = number++;
    told->key = button | (down ? 0x80 : 0);
    told->levels = levels;
    told->at = at;
    if (!count++) retry = ticks() + RETRY;
    if (room() > SPARE) say_event(told); /* otherwise it waits for its turn to be said again */
}

static void hear_edges(void) {
    while (edge_in != edge_out) {
        uint32_t at = edges[edge_out].at;
        uint8_t now = edges[edge_out].levels, changed = before ^ now, level = now;
        edge_out = (edge_out + 1) % EDGES;
        before = now;
        for (uint8_t button = 0; button < BUTTONS; button++, changed >>= 1, level >>= 1) {
            edge_t told[2];
            if (!(changed & 1)) continue;
            uint8_t many = seen(&contacts[button], at, level & 1, told);
            for (uint8_t i = 0; i < many; i++) event(button, told[i].down, told[i].at);
        }
    }
}

static void look(uint32_t now) {
    uint8_t actual = pressed();
    for (uint8_t button = 0; button < BUTTONS; button++, actual >>= 1) {
        edge_t told;
        if (looked(&contacts[button], now, actual & 1, &told)) event(button, 0, told.at);
    }
}

/* ---- lamps ------------------------------------------------------------------------------------------------ */

typedef struct {
    uint8_t size, place, begun, steady;
    uint8_t phases[8];
    uint32_t until; /* the end of this phase; before it has begun, its begin */
} layer_t;
static layer_t layers[LAMPS][2]; /* base, blink */

/* Go on to the phase of now. Whether the layer has begun and is not over. */
static uint8_t running(layer_t *layer, uint32_t now, uint8_t again) {
    if (!layer->size || (layer->begun && layer->steady)) return layer->size;
    for (uint8_t steps = 0; steps < 18 && reached(now, layer->until); steps++) {
        if (!layer->begun) {
            layer->begun = 1;
        } else if (++layer->place == layer->size) {
            layer->place = 0;
            if (!again) {
                layer->size = 0;
                return 0;
            }
        }
        layer->until += layer->phases[layer->place] * TEN_MS;
    }
    return layer->begun;
}

static void shine(uint32_t now) {
    for (uint8_t lamp = 0; lamp < LAMPS; lamp++) {
        layer_t *base = &layers[lamp][0], *blink = &layers[lamp][1];
        uint8_t lit = running(base, now, 1) && !(base->place & 1);
        if (running(blink, now, 0)) lit = (!base->size) ^ (blink->place & 1);
        if (lit) PORTC |= 1 << lamp;
        else PORTC &= ~(1 << lamp);
    }
}

/* ---- words of the host ------------------------------------------------------------------------------------ */

static void done(uint8_t token) {
    uint8_t content[8] = {DONE, token};
    say(content, 2);
}

static void light(const uint8_t *word, uint8_t size) {
    if (size < 8 || size > 16 || word[3] > 1) return;
    done(word[1]);
    if (word[2] >= LAMPS) return;
    layer_t *layer = &layers[word[2]][word[3]];
    uint32_t start, now = ticks();
    memcpy(&start, word + 4, 4);
    layer->size = size - 8;
    layer->place = layer->begun = 0;
    layer->steady = 1;
    for (uint8_t i = 0; i < layer->size; i++) {
        layer->phases[i] = word[8 + i];
        if (word[8 + i]) layer->steady = 0;
    }
    layer->until = reached(now, start) ? now : start;
}

static void fenced(uint8_t token) {
    fence_word.kind = FENCED;
    fence_word.token = token;
    fence_word.boot_low = BOOT;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { fence_word.heard = heard_at; }
    fence_word.said = ticks();
    hear_edges(); /* what was stamped before now is told before the answer */
    fence_word.number = number;
    say(&fence_word.kind, 12);
}

static void acknowledged(const uint8_t *word) {
    if (word[1] != BOOT || !count) return;
    uint8_t many = word[2] - waiting[first].number;
    if (many > count) return;
    first = (first + many) % ROOM;
    count -= many;
    if (many) retry = ticks() + RETRY;
    if (word[3] && count) say_events();
}

static void hear_word(const uint8_t *word, uint8_t size) {
    if (word[0] == LIGHT) light(word, size);
    else if (word[0] == ACK && size == 4) acknowledged(word);
    else if (size != 2) return;
    else if (word[0] == WHO) say_hello();
    else if (word[0] == FENCE) fenced(word[1]);
}

/* A person at a terminal typed "?" and Enter: the board's id in plain hex. */
static void greet_person(void) {
    put('b');
    for (uint8_t i = 0; i < 16; i++) {
        uint8_t half = hello.board[i >> 1];
        half = i & 1 ? half & 15 : half >> 4;
        put(half < 10 ? '0' + half : 'a' - 10 + half);
    }
    put('\n');
    put(0);
    UCSR0B |= _BV(UDRIE0);
}

/* Undo the stuffing in place and check: the content's size, 0 if it is damaged. */
static uint8_t plain(uint8_t *bytes, uint8_t size) {
    uint8_t place = 0, put_at = 0, three[3];
    while (place < size) {
        uint8_t after = place + bytes[place];
        if (after > size || after < place) return 0;
        while (++place < after) bytes[put_at++] = bytes[place];
        if (place < size) bytes[put_at++] = 0;
    }
    if (put_at < 4) return 0;
    put_at -= 3;
    checks(bytes, put_at, three);
    return memcmp(three, bytes + put_at, 3) ? 0 : put_at;
}

static void hear_bytes(void) {
    static uint8_t frame[LONGEST + 2], size;
    while (in_in != in_out) {
        uint8_t byte = in[in_out];
        in_out = (in_out + 1) % IN;
        if (byte) {
            if (size < LONGEST + 2) frame[size++] = byte; /* full: deaf until a zero */
            if (size == 2 && frame[0] == '?' && byte < ' ') {
                greet_person();
                size = 0;
            }
            continue;
        }
        uint8_t content = size < LONGEST + 2 ? plain(frame, size) : 0;
        if (content) {
            attended = ticks();
            hear_word(frame, content);
        } else if (size) {
            bad++;
        }
        size = 0;
    }
}

/* ---- start ------------------------------------------------------------------------------------------------ */

static void start(void) {
    PORTD = 0xFC; /* pull-ups on the buttons */
    PORTB = 0x01;
    DDRC = 0x3F;
    TCCR1B = _BV(CS11); /* 2 MHz */
    TIMSK1 = _BV(TOIE1);
    TCCR2A = _BV(WGM21);
    TCCR2B = _BV(CS22); /* 250 kHz */
    OCR2A = 249;
    TIMSK2 = _BV(OCIE2A);
    UCSR0A = _BV(U2X0);
    UBRR0 = 16;
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
    eeprom_read_block(hello.board, (const void *)2, 8);
    hello.boot = eeprom_read_word((const uint16_t *)0) + 1;
    eeprom_write_word((uint16_t *)0, hello.boot);
    PCMSK2 = 0xFC;
    PCMSK0 = 0x01;
    PCICR = _BV(PCIE2) | _BV(PCIE0);
    set_sleep_mode(SLEEP_MODE_IDLE);
    before = levels = pressed(); /* a button held at the start is no press, but told as down */
    for (uint8_t button = 0; button < BUTTONS; button++)
        contacts[button].down = contacts[button].level = (levels >> button) & 1;
    sei();
}

int main(void) {
    start();
    put(0); /* ends what a boot loader may have said */
    say_hello();
    attended = ticks();
    beat = attended + BEAT;
    for (;;) {
        uint32_t now = ticks();
        hear_edges();
        hear_bytes();
        look(now);
        shine(now);
        if (count && reached(now, retry)) say_events();
        if (reached(now, beat)) {
            beat += BEAT;
            say_beat(now);
        }
        cli();
        if (edge_in == edge_out && in_in == in_out) {
            sleep_enable();
            sei();
            sleep_cpu();
            sleep_disable();
        }
        sei();
    }
}
