/** Mistakes at the doors of the server: who is let in, who pays for it, and what strangers hear. */
import type { Patch } from './patch.ts'

export const DOOR_PATCHES: readonly Patch[] = [
  {
    name: 'handshake-counts-again',
    findings: ['33a'],
    edits: [
      {
        file: 'runtime/src/engine/registry/handshake-nonces.ts',
        function: 'useNonce',
        before: "!== null) return 'known'",
        after: "=== undefined) return 'known'",
      },
      {
        file: 'runtime/src/engine/registry/handshake-nonces.ts',
        function: 'useNonce',
        before: "return outcome.ok ? 'new' : 'known'",
        after: "return outcome.ok || key !== '' ? 'new' : 'known'",
      },
    ],
  },
  {
    name: 'new-sessions-end-others',
    findings: ['33b'],
    edits: [
      {
        file: 'runtime/src/engine/registry/sessions.ts',
        function: 'openSession',
        before: '(end_others && one.body.key_id === key_id)',
        after: '(kept.length >= LIMITS.sessionsPerAgent && !end_others)',
      },
    ],
  },
  {
    name: 'charged-before-proof',
    findings: ['33c'],
    edits: [
      {
        file: 'runtime/src/server/gate.ts',
        function: '#isSpent',
        before: 'return this.#principals.isEmpty(known)',
        after: 'return !this.#principals.take(known)',
      },
    ],
  },
  {
    name: 'handshake-states-told',
    findings: ['33d'],
    edits: [
      {
        file: 'runtime/src/engine/registry/handshake.ts',
        function: 'handshake',
        before: 'const unheard = misspoken(schema_version) ??',
        after:
          'const unheard = stoppedAgent(await registrar.authorities.latest(), agent_id) ?? misspoken(schema_version) ??',
      },
    ],
  },
]
