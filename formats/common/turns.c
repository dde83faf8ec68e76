/* Turns of threads: see text_turns.h. */
#include "turns.h"

void tsr_turns_init(tsr_turns *turns)
{
    pthread_mutex_init(&turns->lock, NULL);
    for (int i = 0; i < TSR_TURNS_NCONDS; i++)
        pthread_cond_init(&turns->come[i], NULL);
    turns->turn = 0;
    turns->stopped = false;
}

void tsr_turns_clear(tsr_turns *turns)
{
    for (int i = 0; i < TSR_TURNS_NCONDS; i++)
        pthread_cond_destroy(&turns->come[i]);
    pthread_mutex_destroy(&turns->lock);
}

bool tsr_turns_wait(tsr_turns *turns, uint64_t n)
{
    while (turns->turn != n && !turns->stopped)
        pthread_cond_wait(&turns->come[n % TSR_TURNS_NCONDS], &turns->lock);
    return !turns->stopped;
}

void tsr_turns_pass(tsr_turns *turns)
{
    turns->turn++;
    pthread_cond_broadcast(&turns->come[turns->turn % TSR_TURNS_NCONDS]);
}

void tsr_turns_stop(tsr_turns *turns)
{
    turns->stopped = true;
    for (int i = 0; i < TSR_TURNS_NCONDS; i++)
        pthread_cond_broadcast(&turns->come[i]);
}
