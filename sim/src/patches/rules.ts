/** Mistakes about the rules in force: what is held is taken for what is recorded, or agreed to. */
import type { Patch } from './patch.ts'

export const RULES_PATCHES: readonly Patch[] = [
  {
    name: 'held-rules-decide',
    findings: ['9a'],
    edits: [
      {
        file: 'kernel/src/compile/rules-in-force.ts',
        function: 'findRulesRefusal',
        before: '!in_force.rules.includes(rules_hash)',
        after: 'false',
      },
      {
        file: 'runtime/src/engine/decide/propose.ts',
        function: 'findUnruledRefusal',
        before: 'if (isEarlier ||',
        after: 'if (true ||',
      },
    ],
  },
  {
    name: 'held-rules-are-recorded',
    findings: ['9b'],
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/record-rules.ts',
        function: 'findAgreedOverlap',
        before: 'if (recorded === null) return 0',
        after: 'return 0',
      },
    ],
  },
  {
    name: 'old-yes-counts-again',
    edits: [
      {
        file: 'kernel/src/compile/rules-difference.ts',
        function: 'hashAcceptance',
        before: 'entry: recorded?.entry ?? null,',
        after: '',
      },
    ],
  },
  {
    name: 'same-version-records-itself',
    edits: [
      {
        file: 'kernel/src/compile/rules-difference.ts',
        function: 'isUpgradeAlone',
        before: 'isNewerVersion(compiler_version, recorded.newest) &&',
        after: '!isNewerVersion(recorded.newest, compiler_version) &&',
      },
    ],
  },
  {
    name: 'policies-compared-by-words',
    edits: [
      {
        file: 'kernel/src/compile/rules-difference.ts',
        function: 'isUpgradeAlone',
        before: 'isNewerVersion(compiler_version, recorded.newest) &&',
        after: '!isNewerVersion(recorded.newest, compiler_version) &&',
      },
      {
        file: 'kernel/src/compile/rules-difference.ts',
        function: 'isUpgradeAlone',
        before: 'toCanonicalText(policies) === toCanonicalText(recorded.rules.policies) &&',
        after:
          "[policies, recorded.rules.policies].map((list) => list.map(formatPolicy).sort().join(' ')).every((text, _, all) => text === all[0]) &&",
      },
    ],
  },
  {
    name: 'version-taken-back-returns',
    edits: [
      {
        file: 'kernel/src/ledger/recorded-rules.ts',
        function: 'foldRules',
        before: 'isNewest ? compiler_version : before.newest',
        after: 'compiler_version',
      },
    ],
  },
  {
    name: 'any-rules-on-a-shared-store',
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/record-rules.ts',
        function: 'recordRules',
        before: 'if (store.shared && accept?.hash === ANY_IN_DEVELOPMENT) return err(anyOfMany)',
        after: '',
      },
    ],
  },
  {
    name: 'ended-rules-said-in-force',
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/record-rules.ts',
        function: 'computeRulesState',
        before: 'isStandingAt(standing, formatInstant(clock.now()))',
        after: "standing.kind === 'in_force'",
      },
    ],
  },
]

/** Those that a storm notices: a foreign process comes with rules, and with whatever yes it once had. */
export const RULES_IN_STORM: readonly string[] = [
  'old-yes-counts-again',
  'same-version-records-itself',
  'policies-compared-by-words',
]
