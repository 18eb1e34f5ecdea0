/** Mistakes about agents and models: what they are offered, what they send, and when they keep still. */
import type { Patch } from './patch.ts'

export const SDK_PATCHES: readonly Patch[] = [
  {
    // `server/src/http/routes/outcome.test.ts`
    name: 'offered-beyond-the-writ',
    edits: [
      {
        file: 'runtime/src/engine/flow/offered-tools.ts',
        function: 'isAdmitted',
        before: 'return isListed && writs.every(',
        after: 'return isListed || writs.every(',
      },
    ],
  },
  {
    name: 'outcome-told-after-the-session',
    edits: [
      {
        file: 'server/src/http/routes/flows.ts',
        function: 'createDecisionRoutes',
        before: '(await ended()) ?? toReply(outcome.value)',
        after: 'toReply(outcome.value)',
      },
    ],
  },
  {
    // `sim/src/sdk/connect-agent.test.ts`
    name: 'safe-mode-proposes',
    edits: [
      {
        file: 'agents/src/http/agent-wire.ts',
        function: 'ensureSession',
        before: "if (kind !== 'ready')",
        after: "if (kind === 'ended')",
      },
    ],
  },
  {
    name: 'each-request-shakes-hands',
    edits: [
      {
        file: 'agents/src/http/agent-wire.ts',
        function: '#renew',
        before: 'this.#renewing ??= this',
        after: 'this.#renewing = this',
      },
    ],
  },
  {
    name: 'lost-answer-asked-for-under-another-key',
    edits: [
      {
        file: 'agents/src/http/agent-wire.ts',
        function: 'askOnce',
        before: 'work(client, key)',
        after: 'work(client, key + failures)',
      },
    ],
  },
  {
    name: 'wrong-clock-is-any-refusal',
    edits: [
      {
        file: 'agents/src/http/agent-wire.ts',
        function: '#toError',
        before: '< LIMITS.proofMs / 2',
        after: '>= 0',
      },
    ],
  },
  {
    name: 'handshake-without-its-topologies',
    edits: [
      {
        file: 'kernel/src/keys/handshake-text.ts',
        function: 'formatHandshake',
        before: 'topologies === undefined ? {} : { topologies }',
        after: 'topologies === undefined ? {} : {}',
      },
    ],
  },
  {
    // `sim/src/sdk/roa-agent.test.ts`
    name: 'sent-without-the-self-check',
    edits: [
      {
        file: 'agents/src/roa/roa-agent.ts',
        function: '#check',
        before:
          'if (error instanceof ContractViolation || error instanceof EscalationRequired) return error',
        after:
          'if (error instanceof ContractViolation || error instanceof EscalationRequired) return null',
      },
    ],
  },
  {
    name: 'final-refusals-are-tried-again',
    edits: [
      {
        file: 'agents/src/agent/agent-answer.ts',
        function: 'isRevisable',
        before: "if (answer.outcome !== 'REJECTED') return false",
        after: "if (answer.outcome === 'ACCEPTED') return false\n  return true",
      },
    ],
  },
  {
    // `sim/src/sdk/run-agent.test.ts`
    name: 'model-writes-the-whole-proposal',
    edits: [
      {
        file: 'agents/src/model/run-agent.ts',
        function: '#perform',
        before: '{ policy_kind: kind, params: given.value, ...many }',
        after: '{ policy_kind: kind, params: given.value, ...many, ...given.value }',
      },
    ],
  },
  {
    name: 'model-ends-its-agent',
    edits: [
      {
        file: 'agents/src/model/model-tools.ts',
        function: 'buildToolSet',
        before: '!NOT_OFFERED.includes(kind)',
        after: 'kind !== null',
      },
    ],
  },
  {
    name: 'reply-of-any-length',
    edits: [
      {
        file: 'agents/src/model/parse-reply.ts',
        function: 'parseReply',
        before: 'length > MODEL_LIMITS.replyLength',
        after: 'length < 0',
      },
    ],
  },
  {
    name: 'uncounted-tokens-are-free',
    edits: [
      {
        file: 'agents/src/model/ask-model.ts',
        function: 'countTokens',
        before: 'JSON.stringify(request).length / 2) + max_tokens',
        after: '(JSON.stringify(request).length + max_tokens) * 0)',
      },
    ],
  },
  {
    // `sim/src/inject/inject.test.ts`
    name: 'hijacked-model-meets-no-limit',
    edits: [
      {
        file: 'kernel/src/contract/limit-check.ts',
        function: 'checkRange',
        before: 'if (!below && !above) return null',
        after: "if ((!below && !above) || name === 'usd') return null",
      },
    ],
  },
  {
    name: 'call-loses-its-signature',
    edits: [
      {
        file: 'agents/src/model/parse-reply.ts',
        function: 'parseReply',
        before: '...parseSignature(signature)',
        after: '...parseSignature(undefined)',
      },
    ],
  },
  {
    name: 'model-proposes-before-it-is-counted',
    edits: [
      {
        file: 'agents/src/model/run-agent.ts',
        function: '#generate',
        before: 'await this.#report(used)',
        after: 'queueMicrotask(() => setTimeout(() => void this.#report(used).catch(() => {}), 0))',
      },
    ],
  },
]
