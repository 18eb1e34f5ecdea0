/** Mistakes about who spoke: what a session, or the key behind it, is still worth. */
import type { Patch } from './patch.ts'

export const SESSIONS_PATCHES: readonly Patch[] = [
  {
    name: 'session-key-not-judged',
    edits: [
      {
        file: 'kernel/src/compile/02-signature.ts',
        function: 'checkSpeaker',
        before: 'return auth.key === null ? PASS : checkKey(auth.key, proposal.agent_id)',
        after: 'return PASS',
      },
    ],
  },
  {
    name: 'session-key-forgotten-by-people',
    edits: [
      {
        file: 'runtime/src/engine/rows/stored-escalation.ts',
        function: 'toAskingSession',
        before: 'key_id, guards: []',
        after: 'key_id: key_id === null ? key_id : null, guards: []',
      },
    ],
  },
  {
    name: 'session-key-forgotten-by-executors',
    edits: [
      {
        file: 'runtime/src/engine/judge/judge-again.ts',
        function: 'toDecidingSession',
        before: 'auth.key?.key_id ?? null',
        after: 'null',
      },
    ],
  },
  {
    name: 'ended-session-dispatches',
    edits: [
      {
        file: 'runtime/src/engine/effect/dispatch.ts',
        function: 'buildIntentUnit',
        before: '...(received.session?.guards ?? []),',
        after: '',
      },
    ],
  },
  {
    name: 'ended-session-asks',
    edits: [
      {
        file: 'runtime/src/engine/escalate/escalate.ts',
        function: 'escalate',
        before: '...(received.session?.guards ?? []),',
        after: '',
      },
    ],
  },
  {
    name: 'session-version-not-guarded',
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/sessions.ts',
        function: 'buildSessionGuards',
        before: "{ kind: 'record_version', record: 'session', group, key, version },",
        after: '',
      },
    ],
  },
  {
    name: 'speaker-not-verified',
    edits: [
      {
        file: 'verifier/src/authority/speaker.ts',
        function: 'findSpeakerProblems',
        before: 'return counts ? []',
        after: 'return id !== null || counts ? []',
      },
    ],
  },
  {
    name: 'speaker-of-the-request-not-verified',
    edits: [
      {
        file: 'verifier/src/approvals/verify-approvals.ts',
        function: 'findRunProblems',
        before: 'findSpeakerKey(facts?.auth) !== known.speaker',
        after: 'false',
      },
    ],
  },
]
