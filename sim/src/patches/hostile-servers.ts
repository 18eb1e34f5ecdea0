/** Mistakes of servers beside others, behind proxies and under many requests, for tricks of the hostile agent. */
import type { Patch } from './patch.ts'

export const HOSTILE_SERVER_PATCHES: readonly Patch[] = [
  {
    name: 'handshakes-remembered-by-one-process',
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/handshake.ts',
        function: 'checkKeyProof',
        before: 'await useNonce(registrar, agent, proof)',
        after:
          "((own) => ((own.seen ??= new Set()), own.seen.has(proof.nonce) ? 'known' : (own.seen.add(proof.nonce), 'new')))(registrar.authorities)",
      },
    ],
  },
  {
    name: 'requests-from-before-the-start-count',
    edits: [
      {
        file: 'server/src/http/agent-auth/prove-agent.ts',
        function: 'prove',
        before: '!isYoung || created < this.#since',
        after: '!isYoung',
      },
    ],
  },
  {
    name: 'requests-signed-without-their-key',
    edits: [
      {
        file: 'agents/src/request-proof.ts',
        function: 'listCovered',
        before: 'key === undefined ? COVERED : [...COVERED, KEY]',
        after: "key === '' ? [...COVERED, KEY] : COVERED",
      },
      {
        file: 'server/src/http/agent-auth/agent-proof.ts',
        function: 'parseProof',
        before: '(covered === undefined) !== (getIdempotencyKey(headers) === undefined)',
        after: "covered === ''",
      },
    ],
  },
  {
    name: 'anybody-is-a-proxy',
    edits: [
      {
        file: 'server/src/http/connections/proxies.ts',
        function: 'resolveClientAddress',
        before: 'hops === 0 || !isProxy(peer)',
        after: 'hops === 0',
      },
    ],
  },
  {
    name: 'keys-end-in-nobodys-name',
    edits: [
      {
        file: 'server/src/http/routes/keys.ts',
        function: 'createKeyChangeRoutes',
        before: 'retireKey(context, id, toSignedBy(asked.principal).by)',
        after: 'retireKey(context, id)',
      },
    ],
  },
  {
    name: 'refusals-counted-by-address',
    edits: [
      {
        file: 'server/src/http/gate/refusals.ts',
        function: 'tell',
        before: '{ status: String(status), code })\n    if (signIn',
        after: '{ status: String(status), code: address })\n    if (signIn',
      },
      {
        file: 'runtime/src/adapters/telemetry/label-values.ts',
        function: '#limitLabelValue',
        before: ': OTHER\n  }',
        after: ': value\n  }',
      },
    ],
  },
]
