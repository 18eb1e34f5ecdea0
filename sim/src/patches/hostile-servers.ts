/** Mistakes of servers beside others, behind proxies and under many requests, for tricks of the hostile agent. */
import type { Patch } from './patch.ts'

export const HOSTILE_SERVER_PATCHES: readonly Patch[] = [
  {
    name: 'handshakes-remembered-by-one-process',
    edits: [
      {
        file: 'runtime/src/engine/registry/handshake.ts',
        function: 'unproven',
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
        file: 'runtime/src/server/prove-agent.ts',
        function: 'prove',
        before: '!isYoung || created < this.#since',
        after: '!isYoung',
      },
    ],
  },
  {
    name: 'anybody-is-a-proxy',
    edits: [
      {
        file: 'runtime/src/server/proxies.ts',
        function: 'clientAddress',
        before: 'hops === 0 || !isProxy(peer)',
        after: 'hops === 0',
      },
    ],
  },
]
