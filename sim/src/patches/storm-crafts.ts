/** Mistakes about artifacts and branches that a storm shows: agents move between a plan and its files, and processes end there. */
import type { Patch } from './patch.ts'

const HANDS = 'runtime/src/artifacts'

export const STORM_CRAFT_PATCHES: readonly Patch[] = [
  {
    name: 'artifact_plan_stays_when_applied',
    edits: [
      {
        file: `${HANDS}/apply-plan.ts`,
        function: 'prepareApply',
        before: 'delta: [...others, dropSlot(slot), ...delta]',
        after: 'delta: [...others, ...delta]',
      },
    ],
  },
  {
    name: 'artifact_expired_plan_applied',
    edits: [
      {
        file: `${HANDS}/plan-law.ts`,
        function: 'findPlanProblem',
        before: 'plan.until <= view.now',
        after: "plan.until <= ''",
      },
      {
        file: `${HANDS}/apply-plan.ts`,
        function: 'checkStillMeant',
        before: 'record.until <= staged_at',
        after: "record.until <= ''",
      },
    ],
  },
  {
    name: 'artifact_claims_outlive_their_plan',
    edits: [
      {
        file: `${HANDS}/open-plans.ts`,
        function: 'loadClaimingPlans',
        before: 'slot.value.until > now',
        after: "slot.value.until > ''",
      },
    ],
  },
  {
    name: 'artifact_members_in_order_of_their_names',
    edits: [
      {
        file: 'artifacts/src/compose/planned-entry.ts',
        function: 'rankEntry',
        before: 'entry.key, names,',
        after: 'names, entry.key,',
      },
    ],
  },
  {
    name: 'artifact_file_written_in_place',
    edits: [
      {
        file: 'artifacts/src/files/carry-out.ts',
        function: 'putChange',
        before: '    disk.rename(fresh, path)\n',
        after:
          '    const read = readRegularFile(fresh, id)\n    disk.unlink(path)\n    const file = disk.create(path, 0o600)\n    if (read.ok) disk.write(file, read.value.bytes)\n    disk.close(file)\n',
      },
    ],
  },
]

/** Of these mistakes, those that a storm finds, too. */
export const CRAFTS_IN_STORM: readonly string[] = [
  ...STORM_CRAFT_PATCHES.map(({ name }) => name),
  'artifact-branch-writes-files',
  'artifact-plans-in-each-others-way',
  'artifact-probe-believes-itself',
  'branch-pays',
]
