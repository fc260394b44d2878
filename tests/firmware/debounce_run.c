/* Runs the firmware's debounce on sequences of stdin, one a line: "s 0 1 l 9000 0 ..." (seen or looked, us, level).
 * Out comes a line of told edges: "D0 U9000". The time is moved by argv[1] first, to try the wrap of the ticks.
 */
#define LOCKOUT 8000UL
#include <stdio.h>
#include <stdlib.h>

#include "debounce.h"

int main(int argc, char **argv) {
    static char line[1 << 16];
    uint32_t moved = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
    while (fgets(line, sizeof line, stdin)) {
        contact_t contact = {0, 0, moved, moved};
        char *place = line, kind;
        unsigned long at;
        int level, used;
        while (sscanf(place, " %c %lu %d%n", &kind, &at, &level, &used) == 3) {
            edge_t told[2];
            uint32_t now = (uint32_t)at + moved;
            int many = kind == 's' ? seen(&contact, now, level, told) : looked(&contact, now, level, told);
            for (int i = 0; i < many; i++) printf("%c%lu ", told[i].down ? 'D' : 'U', (unsigned long)(uint32_t)(told[i].at - moved));
            place += used;
        }
        puts("");
    }
    return 0;
}
