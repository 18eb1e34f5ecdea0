/** Mistakes at the doors of the server: who is let in, who pays for it, and what strangers hear. */
import type { Patch } from './patch.ts'

export const DOOR_PATCHES: readonly Patch[] = [
  {
    name: 'handshake-counts-again',
    findings: ['33a'],
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/handshake-nonces.ts',
        function: 'useNonce',
        before: "!== null) return 'known'",
        after: "=== undefined) return 'known'",
      },
      {
        file: 'runtime/src/engine/authority/registry/handshake-nonces.ts',
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
        file: 'runtime/src/engine/authority/registry/sessions.ts',
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
        file: 'server/src/http/gate/gate.ts',
        function: '#isSpent',
        before: 'return bucket.isEmpty(known, entered)',
        after: 'return !bucket.take(known)',
      },
    ],
  },
  {
    name: 'answers-of-a-provider-unbounded',
    test: {
      file: 'server/src/people/oidc.test.ts',
      title: 'of an answer of the provider that does not end no more is read than one can be long',
    },
    edits: [
      {
        file: 'server/src/people/bounded-fetch.ts',
        function: 'fetchBounded',
        before: 'if (left < 0)',
        after: 'if (left === 0.5)',
      },
    ],
  },
  {
    name: 'cookies-looked-up-uncounted',
    test: {
      file: 'server/src/http/gate/made-up-cookies.test.ts',
      title:
        'cookies that are made up are looked up no more often where anybody may ask who is signed in',
    },
    edits: [
      {
        file: 'server/src/http/gate/gate.ts',
        function: '#admitStranger',
        before: 'readsCookie === true && ',
        after: 'readsCookie === undefined && ',
      },
    ],
  },
  {
    name: 'guesses-before-a-session-that-was-opened',
    edits: [
      {
        file: 'server/src/http/gate/gate.ts',
        function: 'remember',
        before: 'toCredential(token)',
        after: 'token',
      },
    ],
  },
  {
    name: 'handshake-states-told',
    findings: ['33d'],
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/handshake.ts',
        function: 'performHandshake',
        before: 'checkSchemaVersion(schema_version) ??',
        after:
          'checkAgentStatus(await registrar.authorities.loadLatest(), agent_id) ?? checkSchemaVersion(schema_version) ??',
      },
    ],
  },
  {
    name: 'search-names-inherited',
    findings: ['36a'],
    edits: [
      {
        file: 'server/src/http/lookups/ledger-query.ts',
        function: 'parseNamed',
        before: 'const is = NAMES.get(word.slice(0, colon))',
        after: 'const is: Named | undefined = Object.fromEntries(NAMES)[word.slice(0, colon)]',
      },
    ],
  },
  {
    name: 'unseen-reasons-count',
    findings: ['36b'],
    edits: [
      {
        file: 'kernel/src/context/is-blank.ts',
        function: 'isBlank',
        before: '&& !isDeceiving(code) && code !== BRAILLE_BLANK',
        after: '',
      },
    ],
  },
  {
    name: 'codes-undocumented',
    findings: ['36c'],
    edits: [
      {
        file: 'server/src/http/problems/problem.ts',
        function: 'OTHER_STATUS',
        before: "  ['RESOLUTION_INVALID', 422],\n",
        after: '',
      },
    ],
  },
  {
    name: 'headers-twice',
    findings: ['36d'],
    edits: [
      {
        file: 'server/src/http/connections/ambiguous-headers.ts',
        function: 'isAmbiguous',
        before: 'if (seen.has(name)) return true',
        after: '',
      },
    ],
  },
  {
    name: 'other-methods-nowhere',
    findings: ['36e'],
    edits: [
      {
        file: 'server/src/http/replies/no-route.ts',
        function: 'answer',
        before: 'if (allowed.length > 0)',
        after: "if (allowed.length > 0 && method === 'PUT')",
      },
    ],
  },
  {
    name: 'id-tokens-ahead',
    findings: ['36f'],
    edits: [
      {
        file: 'server/src/people/oidc-claims.ts',
        function: 'parseVouchedPerson',
        before:
          "if (DATES.some((date) => isFuture(claims[date], now))) return err('SIGN_IN_REFUSED')",
        after: '',
      },
    ],
  },
  {
    name: 'refusals-kept',
    findings: ['36g', '36h'],
    edits: [
      {
        file: 'server/src/http/gate/idempotency.ts',
        function: 'settle',
        before: 'status < 400',
        after: 'status < 500 && status !== 429',
      },
    ],
  },
  {
    name: 'clients-say-their-address',
    findings: ['34a'],
    edits: [
      {
        file: 'server/src/http/connections/proxies.ts',
        function: 'resolveClientAddress',
        before: '.at(-hops)',
        after: '.at(0)',
      },
      {
        file: 'server/src/http/connections/proxies.ts',
        function: 'resolveClientAddress',
        before: 'hops === 0 || !isProxy(peer)',
        after: 'hops < 0 || !isProxy(peer)',
      },
    ],
  },
  {
    name: 'refusals-untold',
    findings: ['34b'],
    edits: [
      {
        file: 'server/src/http/gate/refusals.ts',
        function: 'tell',
        before: 'if (!isRefusal || !telemetry.enabled) return',
        after: 'if (!isRefusal || telemetry.enabled) return',
      },
    ],
  },
  {
    name: 'sources-sign-in',
    edits: [
      {
        file: 'server/src/http/routes/session.ts',
        function: 'createSessionRoutes',
        before: "if (isSource(person.roles)) return buildHttpProblem('ROLE_MISSING', NO_BROWSER)",
        after: '',
      },
    ],
  },
  {
    name: 'timers-that-never-fire',
    edits: [
      {
        file: 'runtime/src/engine/flow/timers.ts',
        function: 'parseTimer',
        before: 'if (!state.every(isStatePattern))',
        after: 'if (!state.every(isStatePattern) && name === "")',
      },
    ],
  },
]
