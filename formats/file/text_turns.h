/* Turns: threads that finish pieces in any order but must deliver them in order. Whoever holds piece n waits
 * for turn n; pieces are taken in order by threads that are running, so every turn comes. */
#ifndef TSR_TEXT_TURNS_H
#define TSR_TEXT_TURNS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { TSR_TURNS_NCONDS = 32 };

typedef struct tsr_turns {
    pthread_mutex_t lock;                  /* also guards what the turns are about */
    pthread_cond_t come[TSR_TURNS_NCONDS]; /* turn n is waited for at n % TSR_TURNS_NCONDS: few are woken */
    uint64_t turn;
    bool stopped; /* no more turns: everybody is to go home */
} tsr_turns;

void tsr_turns_init(tsr_turns *turns);
void tsr_turns_clear(tsr_turns *turns);
/* With the lock held: wait until it is turn n or all is stopped; true for the turn. */
bool tsr_turns_wait(tsr_turns *turns, uint64_t n);
/* With the lock held, at one's turn: the next one's turn. */
void tsr_turns_pass(tsr_turns *turns);
/* With the lock held: no more turns. */
void tsr_turns_stop(tsr_turns *turns);

#endif
