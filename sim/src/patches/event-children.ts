/** What would let a child leave the event of its parent, let nobody find it, or forget an event too early. */
import type { Patch } from './patch.ts'

const PLAYED = 'runtime/src/engine/arbitrate/children.test.ts'
const VERIFIED = 'verifier/src/authority/event-children.test.ts'
const FORGETTING = 'runtime/src/engine/close/forget-events.ts'
const FORGOTTEN = 'runtime/src/engine/close/forget-events.test.ts'
const JOINING = 'runtime/src/engine/flow/join-event.ts'

export const EVENT_CHILDREN_PATCHES: readonly Patch[] = [
  {
    name: 'child-without-the-event-of-its-parent',
    test: {
      file: PLAYED,
      title: 'a child does not leave its parent’s event, nor does a child of that child',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/opening-row.ts',
        function: 'createFlowRow',
        before: '(parent?.flow.event ?? null)',
        after: 'null',
      },
    ],
  },
  {
    name: 'child-that-nobody-counts',
    test: {
      file: PLAYED,
      title: 'HALT of an event that nobody arbitrates leaves no child at work',
    },
    edits: [
      {
        file: JOINING,
        function: 'joinEvent',
        before: 'members: [...body.members, member]',
        after: 'members: [...body.members].filter((one) => one !== member)',
      },
    ],
  },
  {
    name: 'child-of-a-halted-event',
    test: { file: PLAYED, title: 'nothing is opened below a flow of an event that was halted' },
    edits: [
      {
        file: JOINING,
        function: 'joinEvent',
        before: 'if (body.halted_by !== undefined) return err(haltedEvent)',
        after: 'if (body.halted_by !== undefined) return ok(NOTHING)',
      },
    ],
  },
  {
    name: 'child-of-an-unknown-event',
    test: { file: PLAYED, title: 'a child whose event is not known any more is not opened' },
    edits: [
      {
        file: JOINING,
        function: 'joinEvent',
        before: 'if (stored === null) return err(lostEvent)',
        after: 'if (stored === null) return ok(NOTHING)',
      },
    ],
  },
  {
    name: 'event-without-an-end-of-flows',
    test: { file: PLAYED, title: 'an event has so many flows and no more' },
    edits: [
      {
        file: JOINING,
        function: 'joinEvent',
        before: 'body.members.length >= MOST_MEMBERS',
        after: 'body.members.length > MOST_MEMBERS',
      },
    ],
  },
  {
    name: 'window-shut-before-a-child',
    test: {
      file: PLAYED,
      title:
        'a child that a person let pass comes into a window that is open again, and nobody acts before it has spoken',
    },
    edits: [
      {
        file: JOINING,
        function: 'isAwaiting',
        before: 'now >= closes_at',
        after: "now >= ''",
      },
    ],
  },
  {
    name: 'window-that-waits-for-no-delegation',
    test: {
      file: PLAYED,
      title: 'a window does not close while a flow of its event delegates',
    },
    edits: [
      {
        file: 'runtime/src/engine/arbitrate/settle-event.ts',
        function: 'isMemberDone',
        before: 'if (DONE.includes(flow.state)) return true',
        after: "if (DONE.includes(flow.state) || flow.state === 'EXECUTING') return true",
      },
    ],
  },
  {
    name: 'hint-about-a-child-believed',
    test: {
      file: PLAYED,
      title: 'a message about a child is not believed: no event woke its agent',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/bus-hints.ts',
        function: 'checkHint',
        before: 'if (member.parent !== undefined) return null',
        after: '',
      },
    ],
  },
  {
    name: 'child-of-another-event-verified',
    test: {
      file: VERIFIED,
      title: 'a child that hides the event of its parent, or names another, is found',
    },
    edits: [
      {
        file: 'verifier/src/authority/events.ts',
        function: 'foldBelow',
        before: 'above.event === event',
        after: 'above.event === event || above.event !== null',
      },
    ],
  },
  {
    name: 'woken-below-another-verified',
    test: { file: VERIFIED, title: 'what an event woke is not opened below another flow' },
    edits: [
      {
        file: 'verifier/src/authority/events.ts',
        function: 'foldWoken',
        before:
          "if (parent_dfid !== undefined) found.push('an event woke it, and it has a parent flow')",
        after: '',
      },
    ],
  },
  {
    name: 'child-beside-its-event-verified',
    test: {
      file: VERIFIED,
      title:
        'a dispatch of a child beside that of its parent is found, whatever the child says of its event',
    },
    edits: [
      {
        file: 'verifier/src/effects/arbitration.ts',
        function: 'foldOpening',
        before: 'this.#events.get(parent_dfid) ?? this.#byId',
        after: 'this.#byId',
      },
    ],
  },
  {
    name: 'child-in-time-called-late',
    test: {
      file: 'verifier/src/effects/arbitration.test.ts',
      title:
        'what is opened below a flow of the event excludes and is excluded, and is late only for earlier winners',
    },
    edits: [
      {
        file: 'verifier/src/effects/arbitration.ts',
        function: 'foldRejection',
        before: 'event.winners.slice(0, before)',
        after: 'event.winners',
      },
    ],
  },
  {
    name: 'bid-held-against-a-dispatch',
    test: {
      file: 'verifier/src/effects/arbitration.test.ts',
      title:
        'between flows of one agent the order of bids is not asked: when the winner made its own is not on record',
    },
    edits: [
      {
        file: 'verifier/src/effects/arbitration.ts',
        function: 'findLostProblems',
        before: 'const { at } = winner',
        after: 'const at = bid_at',
      },
    ],
  },
  {
    name: 'erased-parent-hides-its-event',
    test: {
      file: VERIFIED,
      title: 'a child belongs to its event also where what was said of its parent was erased',
    },
    edits: [
      {
        file: 'verifier/src/authority/events.ts',
        function: 'foldBelow',
        before: 'state.flows.get(parent) ?? findAnnounced(state, parent)',
        after: 'state.flows.get(parent)',
      },
    ],
  },
  {
    name: 'children-of-events-unaudited',
    test: {
      file: 'sim/src/audit/events.test.ts',
      title: 'what is opened below a flow of an event is of that event',
    },
    edits: [
      {
        file: 'sim/src/audit/events.ts',
        function: '#auditOpening',
        before: 'if (above !== undefined) this.#flows.set(dfid, above)',
        after: '',
      },
    ],
  },
  {
    name: 'closed-events-kept-for-ever',
    test: {
      file: FORGOTTEN,
      title:
        'an event is forgotten a week after, with its flows ended, and the ledger still verifies',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/wake.ts',
        function: 'buildEventUnit',
        before: 'buildEventDue(now, event_id),',
        after: '',
      },
    ],
  },
  {
    name: 'event-of-an-open-flow-forgotten',
    test: { file: FORGOTTEN, title: 'an event is not forgotten while a flow of it is open' },
    edits: [
      {
        file: FORGETTING,
        function: 'isMemberOver',
        before: 'if (flow !== null && OPEN_FLOW_STATES.includes(flow.state)) return false',
        after: '',
      },
    ],
  },
  {
    name: 'event-forgotten-before-its-flow',
    test: {
      file: FORGOTTEN,
      title: 'an event is not forgotten while an agent is still to be woken',
    },
    edits: [
      {
        file: FORGETTING,
        function: 'isMemberOver',
        before: 'if (pending?.body.event?.event_id === event_id) return false',
        after: '',
      },
    ],
  },
  {
    name: 'event-forgotten-with-its-window',
    test: { file: FORGOTTEN, title: 'an event that waits for bids is not forgotten' },
    edits: [
      {
        file: FORGETTING,
        function: 'isOver',
        before: 'if (group !== CLOSED_EVENTS) return false',
        after: '',
      },
    ],
  },
  {
    name: 'event-forgotten-on-a-word',
    test: {
      file: FORGOTTEN,
      title: 'a word of nobody that an event is due does not make it forgotten',
    },
    edits: [
      {
        file: FORGETTING,
        function: 'forgetEvent',
        before: 'event.body.at <= until && ',
        after: '',
      },
    ],
  },
]
