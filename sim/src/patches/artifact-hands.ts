/** Mistakes in what is done to artifacts through a runtime: scope, claims, time, files. */
import type { Patch } from './patch.ts'

const HANDS = 'runtime/src/artifacts'

export const ARTIFACT_HANDS_PATCHES: readonly Patch[] = [
  {
    name: 'artifact-plan-beyond-its-symbols',
    test: {
      file: `${HANDS}/scope.test.ts`,
      title: 'a plan that writes more than was named is refused, with all that it writes',
    },
    edits: [
      {
        file: `${HANDS}/check-planned.ts`,
        function: 'checkPlanned',
        before: '!named.includes(symbol)',
        after: 'named.length === 0 && !named.includes(symbol)',
      },
    ],
  },
  {
    name: 'artifact-apply-by-fewer-symbols',
    test: {
      file: `${HANDS}/scope.test.ts`,
      title: 'a plan of somebody else outside of the scope cannot be applied, however it is named',
    },
    edits: [
      {
        file: `${HANDS}/symbol-name.ts`,
        function: 'isSameNames',
        before: 'a.length === b.length && a.every((name, index) => name === b[index])',
        after: 'a.every((name) => b.includes(name))',
      },
    ],
  },
  {
    name: 'artifact-plans-in-each-others-way',
    test: {
      file: `${HANDS}/two-authors.test.ts`,
      title: 'two agents replace one method: the second plan is refused, and says by whose plan',
    },
    edits: [
      {
        file: `${HANDS}/open-plans.ts`,
        function: 'checkConflicts',
        before: 'if (ours.length > 0) throw',
        after: 'if (ours.length > 99) throw',
      },
    ],
  },
  {
    name: 'artifact-branch-writes-files',
    test: {
      file: `${HANDS}/disk.test.ts`,
      title: 'on a branch no file is written, and main does not know of it',
    },
    edits: [
      {
        file: `${HANDS}/apply-kind.ts`,
        function: 'isFiled',
        before: 'trajectory === FILED',
        after: "trajectory !== ''",
      },
    ],
  },
  {
    name: 'artifact-probe-believes-itself',
    test: {
      file: `${HANDS}/disk.test.ts`,
      title: 'a crash at effect.before_send is settled by looking at the file: absent',
    },
    edits: [
      {
        file: `${HANDS}/apply-kind.ts`,
        function: 'probeChange',
        before: "state === 'after'",
        after: "state !== 'other'",
      },
    ],
  },
  {
    name: 'artifact-plan-for-ever',
    test: {
      file: `${HANDS}/plan-life.test.ts`,
      title: 'a plan whose time is over is refused, claims nothing, and is taken out by the next',
    },
    edits: [
      {
        file: `${HANDS}/plan-law.ts`,
        function: 'findPlanProblem',
        before: 'plan.until <= view.now',
        after: "plan.until <= ''",
      },
    ],
  },
  {
    name: 'artifact-adopted-between',
    test: {
      file: `${HANDS}/disk.test.ts`,
      title: 'a file that somebody changed since is refused, and nothing is written',
    },
    edits: [
      {
        file: `${HANDS}/write-files.ts`,
        function: 'writeFiles',
        before: 'session.write(changes, note)',
        after:
          'session.write(changes.map((one) => { const now = readArtifact(place.root, one.id); return now.ok ? { ...one, before: now.value.hash } : one }), note)',
      },
    ],
  },
  {
    name: 'artifact-secret-planned',
    test: {
      file: `${HANDS}/plan-life.test.ts`,
      title: 'a secret in a fragment is refused, and what is said of it does not repeat it',
    },
    edits: [
      {
        file: `${HANDS}/check-planned.ts`,
        function: 'checkPlanned',
        before: 'const kind = findSecret(text)',
        after: 'const kind = findSecret(text.slice(0, 8))',
      },
    ],
  },
  {
    name: 'artifact-import-that-nobody-named',
    test: {
      file: `${HANDS}/outside-scope.test.ts`,
      title:
        'who may write one class does not load, unload or exchange what the whole file imports',
    },
    edits: [
      {
        file: 'artifacts/src/desk/name-imports.ts',
        function: 'listWrittenImports',
        before: 'if (was === undefined || is === undefined) return true',
        after: 'if (was === undefined || is === undefined) return false',
      },
    ],
  },
  {
    name: 'artifact-comment-that-nobody-named',
    test: {
      file: `${HANDS}/outside-scope.test.ts`,
      title: 'a comment of another symbol is not taken back beside what the contract names',
    },
    edits: [
      {
        file: 'artifacts/src/claims/list-different.ts',
        function: 'listDifferent',
        before: 'for (const path of listLoose(step.before, step.after))',
        after: 'for (const path of listLoose(step.before, step.before))',
      },
    ],
  },
  {
    name: 'artifact-all-plans-of-one',
    test: {
      file: `${HANDS}/plan-share.test.ts`,
      title: 'an agent that plans and applies nothing does not take the file from all others',
    },
    edits: [
      {
        file: `${HANDS}/open-plans.ts`,
        function: 'checkShare',
        before: 'own.length < HANDS_LIMITS.plansOfOne',
        after: 'own.length < HANDS_LIMITS.plansEach',
      },
    ],
  },
  {
    name: 'artifact-plan-withdrawn-by-another',
    test: {
      file: `${HANDS}/plan-life.test.ts`,
      title: 'a withdrawn plan claims nothing; nobody withdraws that of another',
    },
    edits: [
      {
        file: `${HANDS}/withdraw-plan.ts`,
        function: 'withdrawPlan',
        before: 'slot.value.by !== agent_id',
        after: "slot.value.by === ''",
      },
    ],
  },
  {
    name: 'artifact-part-of-an-adoption',
    test: {
      file: `${HANDS}/scope.test.ts`,
      title: 'an artifact is adopted by who may change all of it',
    },
    edits: [
      {
        file: `${HANDS}/adopt-kind.ts`,
        function: 'findNamingProblem',
        before: 'isSameNames(artifacts, symbols)',
        after: 'artifacts.length === symbols.length',
      },
    ],
  },
  {
    name: 'artifact-changed-file-is-to-be-read',
    test: {
      file: `${HANDS}/disk.test.ts`,
      title: 'a file that somebody changed since is refused, and nothing is written',
    },
    edits: [
      {
        file: `${HANDS}/refusal.ts`,
        function: 'toFileRefusal',
        before: "code === 'FILE_CHANGED'",
        after: "code === 'FILE_LINK'",
      },
    ],
  },
]
