/** Mistakes about agents and models: what they are offered, what they send, and when they keep still. */
import type { Patch } from './patch.ts'

export const SDK_PATCHES: readonly Patch[] = [
  {
    // `server/src/http/routes/outcome.test.ts`
    name: 'offered-beyond-the-writ',
    test: {
      file: 'server/src/http/routes/outcome.test.ts',
      title:
        'of what a contract lists, a child flow is offered what its parent has and what is registered',
    },
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
    test: {
      file: 'server/src/http/routes/outcome.test.ts',
      title: 'a session that ends while it waits is told nothing more',
    },
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
    test: {
      file: 'sim/src/sdk/connect-agent.test.ts',
      title: 'an agent that is in a flow when the version changes proposes nothing more',
    },
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
    test: {
      file: 'sim/src/sdk/connect-agent.test.ts',
      title: 'a session that was ended is renewed once for all that need it, and nothing is lost',
    },
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
    test: {
      file: 'sim/src/sdk/connect-agent.test.ts',
      title: 'an act and an opening whose answers are lost are asked again, and done once',
    },
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
    name: 'lost-answer-taken-for-refused',
    test: {
      file: 'sim/src/sdk/connect-agent.test.ts',
      title:
        'an act whose answer was lost stays lost, whatever is refused when it is asked for again',
    },
    edits: [
      {
        file: 'agents/src/http/agent-wire.ts',
        function: 'askOnce',
        before: 'lost === null ? await asked : await selectAnswer(asked, lost)',
        after: 'await asked',
      },
    ],
  },
  {
    name: 'wrong-clock-is-any-refusal',
    test: {
      file: 'sim/src/sdk/connect-agent.test.ts',
      title: 'a clock that is wrong is told as such, at the handshake and later',
    },
    edits: [
      {
        file: 'agents/src/http/to-clocked-error.ts',
        function: 'toClockedError',
        before: '< LIMITS.proofMs / 2',
        after: '>= 0',
      },
    ],
  },
  {
    name: 'handshake-without-its-topologies',
    test: {
      file: 'kernel/src/keys/handshake-text.test.ts',
      title:
        'the topologies that an agent can serve are signed, and nothing is signed of those that it does not name',
    },
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
    test: {
      file: 'sim/src/sdk/roa-agent.test.ts',
      title: 'without the self-check no verdict of the runtime is another one',
    },
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
    test: {
      file: 'sim/src/inject/inject.test.ts',
      title: 'a hijacked model reaches nothing that the contract does not admit, and hears why',
    },
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
    test: {
      file: 'sim/src/inject/inject.test.ts',
      title: 'a hijacked model reaches nothing that the contract does not admit, and hears why',
    },
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
    test: {
      file: 'sim/src/inject/inject.test.ts',
      title: 'a hijacked model reaches nothing that the contract does not admit, and hears why',
    },
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
    test: {
      file: 'sim/src/sdk/run-agent.test.ts',
      title: 'what a provider wants back with a call is given back',
    },
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
  {
    name: 'claimed-flow-left-for-good',
    test: {
      file: 'sim/src/sdk/replicas.test.ts',
      title:
        'a flow whose process died after its claim is not lost: the other takes it when a minute is over, and not before',
    },
    edits: [
      {
        file: 'agents/src/http/opened-flows.ts',
        function: '#awaitClaim',
        before: 'if (this.#waiting >= WAITING_MOST) return null',
        after: 'return null',
      },
    ],
  },
  {
    name: 'claim-not-kept',
    test: {
      file: 'sim/src/sdk/replicas.test.ts',
      title: 'a process that thinks for longer than a claim lasts keeps its flow',
    },
    edits: [
      {
        file: 'agents/src/http/opened-flows.ts',
        function: '#hand',
        before: "if (claimed === 'ours') void this.#keepClaim(dfid, done.signal)",
        after: '',
      },
    ],
  },
]
