/** Mistakes around what people are given: the file of tokens, what they are shown before they decide, what errors say. */
import type { Patch } from './patch.ts'

export const GIVEN_PATCHES: readonly Patch[] = [
  {
    name: 'people-half-written',
    edits: [
      {
        file: 'server/src/people/people-file.ts',
        function: 'writeAside',
        before: 'writeFileSync(file, text)',
        after: 'fs.writeSync(file, text)',
      },
      {
        file: 'server/src/people/people-file.ts',
        function: 'writeAside',
        before: 'const file = openSync',
        after: "const fs = process.getBuiltinModule('node:fs'); const file = openSync",
      },
    ],
  },
  {
    name: 'people-left-aside',
    edits: [
      {
        file: 'server/src/people/people-file.ts',
        function: 'replaceFile',
        before: 'rmSync(aside, { force: true })',
        after: 'rmSync',
      },
    ],
  },
  {
    name: 'people-links-replaced',
    edits: [
      {
        file: 'server/src/people/people-file.ts',
        function: 'resolvePath',
        before: 'realpathSync(path)',
        after: 'path',
      },
    ],
  },
  {
    name: 'people-given-to-root',
    edits: [
      {
        file: 'server/src/people/people-lock.ts',
        function: 'keepOwner',
        before: '!== 0',
        after: '!== -1',
      },
    ],
  },
  {
    name: 'unreadable-people-count',
    edits: [
      {
        file: 'server/src/people/fresh-people.ts',
        function: 'createFileReader',
        before: 'rows = read.ok ? read.value : []',
        after: 'rows = read.ok ? read.value : rows',
      },
    ],
  },
  {
    name: 'unreadable-people-never-read-again',
    edits: [
      {
        file: 'server/src/people/fresh-people.ts',
        function: 'createFileReader',
        before: 'seen = read.ok ? now : null',
        after: 'seen = now',
      },
    ],
  },
  {
    name: 'errors-tell-tokens',
    edits: [
      {
        file: 'agents/src/call.ts',
        function: 'createCall',
        before: 'unfit !== null',
        after: 'unfit === address',
      },
    ],
  },
  {
    name: 'agent-keys-can-be-read-out',
    edits: [
      {
        file: 'agents/src/agent-key.ts',
        function: 'createAgentKey',
        before: "'Ed25519', false",
        after: "'Ed25519', true",
      },
    ],
  },
  {
    name: 'signed-for-another-path',
    edits: [
      {
        file: 'agents/src/sign-request.ts',
        function: 'createAgentHeaders',
        before: '{ pathname, search }',
        after: '{ hash: pathname, search }',
      },
    ],
  },
  {
    name: 'a-change-with-the-words-of-another',
    edits: [
      {
        file: 'agents/src/decision-body.ts',
        function: 'buildDecisionBody',
        before: "decision.word === 'MODIFY' ? decision.judged : brief",
        after: 'brief',
      },
    ],
  },
  {
    name: 'problems-of-others',
    edits: [
      {
        file: 'agents/src/call.ts',
        function: 'parseProblem',
        before: "texts && typeof status === 'number'",
        after: "texts || typeof status === 'number' || title === undefined",
      },
    ],
  },
  {
    name: 'errors-tell-addresses',
    edits: [
      {
        file: 'server/src/cli/shell/link.ts',
        function: 'parseServerUrl',
        before: 'url.origin}',
        after: 'given}',
      },
    ],
  },
  {
    name: 'values-make-parameters',
    edits: [
      {
        file: 'kernel/src/escalation/quoted-text.ts',
        function: 'quoteText',
        before: "value !== '' && ![...value].some(isSeparator)",
        after: "value !== '' || ![...value].some(isSeparator)",
      },
    ],
  },
  {
    name: 'terminals-hide-what-runs',
    edits: [
      {
        file: 'server/src/cli/escape-text.ts',
        function: 'escapeText',
        before: 'isDeceiving(code) ?',
        after: "isDeceiving(code) ? '' : isDeceiving(code) ?",
      },
    ],
  },
  {
    name: 'terminals-cut-what-runs',
    edits: [
      {
        file: 'server/src/cli/shell/value-text.ts',
        function: 'formatWholeText',
        before: 'escapeText(quoteText(value))',
        after: 'escapeText(quoteText(value).slice(0, LONGEST))',
      },
    ],
  },
  {
    name: 'words-before-what-runs',
    edits: [
      {
        file: 'server/src/cli/escalations.ts',
        function: 'describe',
        before: 'describeProposal(out, proposal)',
        after: "out.line('  proposes '.concat(formatShortValue(proposal)))",
      },
    ],
  },
  {
    name: 'previews-hide-parameters',
    edits: [
      {
        file: 'server/src/cli/shell/brief-text.ts',
        function: 'buildEffectRows',
        before: '...listSentRows(params)',
        after: '...(changes === null ? listSentRows(params) : [])',
      },
    ],
  },
  {
    name: 'half-characters-signed',
    edits: [
      {
        file: 'runtime/src/engine/rows/unreasoned.ts',
        function: 'checkReason',
        before: ' && reason.isWellFormed()',
        after: '',
      },
    ],
  },
  {
    name: 'half-characters-stop-nobody',
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/revoke.ts',
        function: 'signRevocationEntry',
        before: 'shorten(asked.reason, LIMITS.justificationLength)',
        after: 'asked.reason',
      },
    ],
  },
  {
    name: 'unseen-channels-asked',
    edits: [
      {
        file: 'runtime/src/policies/silent-text.ts',
        function: 'findSilentRule',
        before: "isBlank(annotations.require_approval ?? '')",
        after: "(annotations.require_approval ?? '').trim() === ''",
      },
    ],
  },
  {
    name: 'mistyped-addresses-told',
    edits: [
      {
        file: 'runtime/src/ports/store-address.ts',
        function: 'redactAddress',
        before: 'BEFORE_USER.exec(address)',
        after: '/^[a-z]+:..(?<=:[/][/])/.exec(address)',
      },
    ],
  },
  {
    name: 'unread-addresses-told',
    edits: [
      {
        file: 'server/src/cli/verify.ts',
        function: 'readBeginning',
        before: '.replaceAll(path, shown)',
        after: '',
      },
    ],
  },
  {
    name: 'data-makes-lines',
    edits: [
      {
        file: 'server/src/cli/output.ts',
        function: 'escapeLine',
        before: ".replaceAll('\\n', '\\\\u000a')",
        after: '',
      },
    ],
  },
]
