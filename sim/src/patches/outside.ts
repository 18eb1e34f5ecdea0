/** Mistakes towards whoever asks from outside: late, twice, by somebody else's hand, or with texts that show nothing. */
import type { Patch } from './patch.ts'

export const OUTSIDE_PATCHES: readonly Patch[] = [
  {
    name: 'signed-ahead-forgotten',
    edits: [
      {
        file: 'server/src/http/agent-auth/ahead-nonces.ts',
        function: 'isFirstUse',
        before: 'if (at <= now) return true',
        after: 'if (at <= now + LIMITS.proofMs) return true',
      },
    ],
  },
  {
    name: 'late-bodies-taken',
    edits: [
      {
        file: 'server/src/http/gate/read-request.ts',
        function: 'readRequest',
        before: 'isUnsafe(route.method) ? await judge() : ok(admitted)',
        after: 'isUnsafe(route.method) ? ok(admitted) : ok(admitted)',
      },
    ],
  },
  {
    name: 'roles-kept-while-asking',
    edits: [
      {
        file: 'server/src/http/gate/still-asking.ts',
        function: 'judgeAgain',
        before: 'isSame ? checkRole(known.value, route)',
        after: 'isSame ? null',
      },
    ],
  },
  {
    name: 'streams-outlive-authority',
    edits: [
      {
        file: 'server/src/http/events/event-stream.ts',
        function: '#sendAll',
        before: "text !== '' && !(await this.#isHeld())",
        after: 'text === null',
      },
    ],
  },
  {
    name: 'downloads-outlive-authority',
    edits: [
      {
        file: 'server/src/http/turns/downloads.ts',
        function: 'passWhileAllowed',
        before: '(await ended()) !== null',
        after: '(await ended()) === undefined',
      },
    ],
  },
  {
    name: 'waiting-documents-written',
    edits: [
      {
        file: 'server/src/http/turns/document-writes.ts',
        function: 'write',
        before: 'isNext ? null : await ended()',
        after: 'isNext ? null : null',
      },
    ],
  },
  {
    name: 'contracts-outlive-authority',
    edits: [
      {
        file: 'server/src/http/routes/contracts.ts',
        function: 'deploy',
        before: 'if (problem !== null) return problem',
        after: 'void problem',
      },
    ],
  },
  {
    name: 'monitors-outlive-authority',
    edits: [
      {
        file: 'server/src/http/routes/monitors.ts',
        function: 'deploy',
        before: 'if (problem !== null) return problem',
        after: 'void problem',
      },
    ],
  },
  {
    name: 'forged-requests-free',
    edits: [
      {
        file: 'server/src/http/gate/gate.ts',
        function: '#refuseForgery',
        before: 'this.#forgeries.take(address) ?',
        after: 'address !== null ?',
      },
    ],
  },
  {
    name: 'forged-requests-looked-up',
    edits: [
      {
        file: 'server/src/http/gate/gate.ts',
        function: '#isForged',
        before: '!== null\n  }',
        after: '=== undefined\n  }',
      },
    ],
  },
  {
    name: 'forged-reads-charged-to-people',
    edits: [
      {
        file: 'server/src/people/csrf.ts',
        function: 'checkUnknownCookie',
        before: "isFromElsewhere(headers, publicUrl) ? 'ORIGIN_REFUSED' : null",
        after: 'null',
      },
    ],
  },
  {
    name: 'lured-browsers-charged-as-sign-ins',
    edits: [
      {
        file: 'server/src/http/gate/gate.ts',
        function: '#admitStranger',
        before: 'isLured ? this.#forgeries',
        after: 'isLured ? this.#strangers',
      },
    ],
  },
  {
    name: 'unseen-triggers-open-flows',
    edits: [
      {
        file: 'runtime/src/engine/flow/opening-request.ts',
        function: 'checkOpening',
        before: 'return isBlank(trigger) ?',
        after: "return trigger === '' ?",
      },
    ],
  },
  {
    name: 'unseen-reasons-lift',
    edits: [
      {
        file: 'runtime/src/engine/rows/unreasoned.ts',
        function: 'checkReason',
        before: '!isBlank(reason)',
        after: "reason.trim() !== ''",
      },
    ],
  },
  {
    name: 'unseen-missions',
    edits: [
      {
        file: 'kernel/src/contract/read-scalar.ts',
        function: 'freeText',
        before: 'if (isBlank(value))',
        after: "if (value.trim() === '')",
      },
    ],
  },
  {
    name: 'unseen-options-given',
    edits: [
      {
        file: 'server/src/cli/call.ts',
        function: 'getRequired',
        before: 'isBlank(value)',
        after: "value.trim() === ''",
      },
    ],
  },
  {
    name: 'tokens-made-at-once',
    edits: [
      {
        file: 'server/src/people/people-lock.ts',
        function: 'runLocked',
        before: 'BEGIN EXCLUSIVE',
        after: 'BEGIN',
      },
    ],
  },
  {
    name: 'first-token-made-twice',
    edits: [
      {
        file: 'server/src/people/server-people.ts',
        function: 'openServerPeople',
        before: '!newToken && now.some((one) => one.name === name)',
        after: 'newToken && now.length < 0',
      },
    ],
  },
  {
    name: 'redirects-followed',
    edits: [
      {
        file: 'agents/src/call.ts',
        function: 'createCall',
        before: "redirect: 'manual'",
        after: "redirect: 'follow'",
      },
    ],
  },
  {
    name: 'traces-redirected',
    edits: [
      {
        file: 'runtime/src/adapters/telemetry/trace-sinks.ts',
        function: 'createOtlpSink',
        before: "'manual' as const",
        after: "'follow' as const",
      },
    ],
  },
  {
    name: 'terminals-obey-data',
    edits: [
      {
        file: 'server/src/cli/output.ts',
        function: 'renderMarks',
        before: 'escapeLine(piece)',
        after: 'piece',
      },
    ],
  },
  {
    name: 'terminals-obey-json',
    edits: [
      {
        file: 'server/src/cli/output.ts',
        function: 'serialiseJson',
        before: 'escapeControls(JSON.stringify(value, null, indent))',
        after: 'JSON.stringify(value, null, indent)',
      },
    ],
  },
]
