/* One switch: raw edges in, presses and releases out. The first edge counts, its bounce does not.
 *
 * The same rules as companion/wire/debounce.py; tests/firmware/debounce_vectors.json holds both to them. Times
 * are 32-bit ticks that wrap; only differences are looked at, and they must stay below half a wrap.
 */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H

#include <stdint.h>

#ifndef LOCKOUT
#define LOCKOUT 16000UL /* 8 ms of 0.5 us */
#endif

typedef struct {
    uint8_t down;   /* what has been told */
    uint8_t level;  /* the newest level seen: 1 is closed */
    uint32_t since; /* when it became so */
    uint32_t lock;  /* end of the lockout */
} contact_t;

typedef struct {
    uint8_t down;
    uint32_t at;
} edge_t;

static uint8_t reached(uint32_t now, uint32_t moment) { return (int32_t)(now - moment) >= 0; }

/* Tell a release that has lasted long enough by now. The number of edges written: 0 or 1. */
static uint8_t settled(contact_t *c, uint32_t now, edge_t *out) {
    if (!c->down || c->level) return 0;
    uint32_t quiet = c->since + LOCKOUT;
    if (!reached(quiet, c->lock)) quiet = c->lock;
    if (!reached(now, quiet)) return 0;
    c->down = 0;
    out->down = 0;
    out->at = c->since;
    return 1;
}

/* An edge to a level was seen. The number of edges written: 0 to 2. */
static uint8_t seen(contact_t *c, uint32_t at, uint8_t level, edge_t *out) {
    uint8_t count = settled(c, at, out);
    if (level == c->level) return count;
    c->level = level;
    c->since = at;
    if (level && !c->down) {
        c->down = 1;
        c->lock = at + LOCKOUT;
        out[count].down = 1;
        out[count].at = at;
        count++;
    }
    return count;
}

/* Look at the level itself, in case an edge was lost: an open switch is let go, a closed one tells nothing. */
static uint8_t looked(contact_t *c, uint32_t now, uint8_t level, edge_t *out) {
    uint8_t count = settled(c, now, out);
    if (c->down && c->level) {
        if (!level) {
            c->level = 0;
            c->since = now;
        } else if (reached(now, c->lock)) {
            c->lock = now; /* so that a switch held for an hour is not taken for one of the future */
        }
    }
    return count;
}

#endif
