/** Mistakes about stopping: an agent that is to stop, a client that hangs up, a server that ends. */
import type { Patch } from './patch.ts'

export const STOPPING_PATCHES: readonly Patch[] = [
  {
    name: 'requests-begin-for-whoever-has-hung-up',
    edits: [
      {
        file: 'server/src/http/turns/request-turns.ts',
        function: '#beginSome',
        before: 'next?.isGone() === true',
        after: 'next === undefined',
      },
    ],
  },
  {
    name: 'stops-while-work-goes-on',
    edits: [
      {
        file: 'server/src/http/turns/begun-work.ts',
        function: 'awaitEnd',
        before: 'while (this.#work.size > 0)',
        after: 'while (this.#work.size < 0)',
      },
    ],
  },
  {
    name: 'sent-while-the-store-is-let-go',
    edits: [
      {
        file: 'runtime/src/engine/effect/in-flight.ts',
        function: 'close',
        before: 'while (this.#handed.size > 0)',
        after: 'while (this.#handed.size < 0)',
      },
    ],
  },
  {
    name: 'stops-wait-at-the-store',
    edits: [
      {
        file: 'runtime/src/ports/urgent.ts',
        function: 'runUrgently',
        before: 'return urgent.run(true, work)',
        after: 'return work()',
      },
    ],
  },
  {
    name: 'stops-read-behind-others',
    edits: [
      {
        file: 'runtime/src/adapters/postgres/connections.ts',
        function: '#attempt',
        before: 'isUrgent() ? this.#urgent : this.#pool',
        after: 'isUrgent() ? this.#pool : this.#pool',
      },
    ],
  },
  {
    name: 'agents-go-before-others',
    edits: [
      {
        file: 'server/src/http/server.ts',
        function: 'mount',
        before: "const stops = route.stops === true && principal.kind === 'person'",
        after: 'const stops = route.stops === true',
      },
    ],
  },
  {
    name: 'agents-looked-up-before-others',
    edits: [
      {
        file: 'server/src/http/gate/asker.ts',
        function: 'isOfPerson',
        before: 'shown !== null && !isOfAgent(shown)',
        after: 'shown !== null',
      },
    ],
  },
  {
    name: 'places-given-urgently',
    edits: [
      {
        file: 'runtime/src/ports/urgent.ts',
        function: 'runUnhurried',
        before: 'urgent.exit(work)',
        after: 'work()',
      },
    ],
  },
  {
    name: 'stops-join-readings-in-line',
    edits: [
      {
        file: 'runtime/src/engine/authority/authority-cache.ts',
        function: '#joinLoading',
        before: 'underWay !== null && (underWay.isUrgent || !isUrgent())',
        after: 'underWay !== null',
      },
    ],
  },
]
