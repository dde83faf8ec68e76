/* Turns, for threads that finish pieces in any order and must deliver them in order. The thread that has
 * piece n waits for turn n. Pieces are taken in order by running threads, so each turn comes. */
#ifndef TURNS_H
#define TURNS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { TSR_TURNS_NCONDS = 32 };

typedef struct tsr_turns {
    pthread_mutex_t lock;                  /* also guards the data that are delivered */
    pthread_cond_t come[TSR_TURNS_NCONDS]; /* threads wait for turn n at n % TSR_TURNS_NCONDS: few wake up */
    uint64_t turn;                         /* the current turn */
    bool stopped;                          /* set on failure: all waiting threads return */
} tsr_turns;

void tsr_turns_init(tsr_turns *turns);
void tsr_turns_clear(tsr_turns *turns);
/* Under the lock: wait for turn n. False: the turns were stopped. */
bool tsr_turns_wait(tsr_turns *turns, uint64_t n);
/* Under the lock, at the caller's turn: begin the next turn. */
void tsr_turns_pass(tsr_turns *turns);
/* Under the lock: stop; all waiting threads return. */
void tsr_turns_stop(tsr_turns *turns);

#endif
