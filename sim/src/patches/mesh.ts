/** What would break events, wake-ups, claims and the bus. */
import type { Patch } from './patch.ts'

const WAKE = 'runtime/src/engine/flow/wake.test.ts'
const BUS = 'runtime/src/engine/flow/bus.test.ts'
const VERIFIED = 'verifier/src/authority/events.test.ts'

export const MESH_PATCHES: readonly Patch[] = [
  {
    name: 'event-chosen-by-who-opens',
    test: { file: WAKE, title: 'who opens a flow names no event that woke nobody' },
    edits: [
      {
        file: 'runtime/src/engine/flow/open.ts',
        function: 'toOpening',
        before: ', event: undefined',
        after: '',
      },
    ],
  },
  {
    name: 'state-read-when-the-flow-opens',
    test: {
      file: WAKE,
      title: 'what changes after an event is not what its flows were woken by',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/prepare-opening.ts',
        function: 'loadEventState',
        before: 'if (event === undefined) return null',
        after: 'if (event === undefined || event !== null) return null',
      },
    ],
  },
  {
    name: 'older-event-keeps-its-member',
    test: {
      file: WAKE,
      title: 'a newer event takes over a wake-up that is still pending, and the older one hears so',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/wake.ts',
        function: 'buildWakeUps',
        before: "superseded.push({ ...event, ended: 'superseded' })",
        after: 'superseded.length = 0',
      },
    ],
  },
  {
    name: 'claim-taken-from-who-has-it',
    test: {
      file: WAKE,
      title: 'of several processes of an agent one works on a flow, for a minute at a time',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/flow-claim.ts',
        function: 'claimFlow',
        before: 'claim.by !== by && now < claim.until',
        after: 'claim.by !== by && now > claim.until',
      },
    ],
  },
  {
    name: 'woken-without-end',
    test: {
      file: WAKE,
      title:
        'a flow that nobody takes up ends after five minutes, and one that is claimed or worked on does not',
    },
    edits: [
      {
        file: 'runtime/src/engine/close/expire-wakes.ts',
        function: 'endWake',
        before: 'if (!isWaiting ||',
        after: 'if (isWaiting || !isWaiting ||',
      },
    ],
  },
  {
    name: 'tokens-of-events-not-counted',
    test: {
      file: WAKE,
      title:
        'no more agents are woken than the topic admits, by priority, and who was not is on the record',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/admit-listeners.ts',
        function: 'buildSpentUnit',
        before: 'tokens: tokens + admitted * rule.expected',
        after: 'tokens',
      },
    ],
  },
  {
    name: 'hint-of-a-message-believed',
    test: { file: BUS, title: 'forged, stale, duplicated and foreign messages change nothing' },
    edits: [
      {
        file: 'runtime/src/engine/flow/bus-hints.ts',
        function: 'checkHint',
        before: 'if (event.body.state_snapshot_id !== snapshot_id) return null',
        after: '',
      },
    ],
  },
  {
    name: 'subscription-outside-of-the-contract',
    test: {
      file: BUS,
      title: 'a subscription is on the record, and one outside of the contract is refused there',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/bus-hints.ts',
        function: 'isTopicNamed',
        before: 'isPrefixCovering(named, topic)',
        after: 'isPrefixCovering(topic, named)',
      },
    ],
  },
  {
    name: 'dead-letter-dropped',
    test: {
      file: BUS,
      title: 'a message that cannot be sent becomes a dead letter, which can be sent again',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/bus-outbox.ts',
        function: 'keepUnsent',
        before: 'writes: [buildDrop(letter), kept]',
        after: 'writes: isDead ? [buildDrop(letter)] : [buildDrop(letter), kept]',
      },
    ],
  },
  {
    name: 'event-of-somebody-else-believed',
    test: {
      file: VERIFIED,
      title: 'a flow that names an event which did not announce it is found',
    },
    edits: [
      {
        file: 'verifier/src/authority/events.ts',
        function: 'foldWoken',
        before: ' && agent === agent_id',
        after: '',
      },
    ],
  },
  {
    name: 'event-not-asked-for',
    test: {
      file: VERIFIED,
      title: 'what is done without an event is found where the class asks for one',
    },
    edits: [
      {
        file: 'verifier/src/effects/proven.ts',
        function: 'findEvidenceProblems',
        before: "wanted === 'EOAM' && way.topic === null",
        after: "wanted === 'SDS' && way.topic === null",
      },
    ],
  },
]
