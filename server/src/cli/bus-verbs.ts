/** The verbs about the bus. */
import type { VerbSpec } from './verb-spec.ts'

export const BUS_VERBS: readonly VerbSpec[] = [
  {
    verb: 'bus dead-letters',
    summary: 'list messages that could not be sent',
    remote: true,
    load: async () => (await import('./bus.ts')).listDeadLetters,
  },
  {
    verb: 'bus replay',
    args: '<id>',
    summary: 'send a message again',
    remote: true,
    load: async () => (await import('./bus.ts')).replayDeadLetter,
  },
]
