/** Codes of plans of artifacts: why work was not planned, applied or taken back. The hands say them. */
import type { EngineReason } from './engine-reasons.ts'

export const ARTIFACT_PLAN_REASONS: Readonly<Record<string, EngineReason>> = {
  ARTIFACT_UNKNOWN: {
    means: 'no such artifact is known',
    why: 'World has no fact about it, or one that the runtime did not write',
    fix: 'list artifacts with `artifact.list`; a file becomes known by `artifact.adopt`',
  },
  PLAN_CONFLICT: {
    means: 'another open plan claims symbols that this one would write, or relies on',
    why: 'conflicts are found when a change is planned, so that it does not have to be merged later',
    fix: 'wait until that plan is applied, withdrawn or over, or plan something else; `candidates` names it',
  },
  PLAN_EXPIRED: {
    means: 'the time of the plan is over',
    why: 'a plan holds its claims for fifteen minutes, so that they are not held for ever',
    fix: 'plan it again',
  },
  PLAN_SYMBOLS: {
    means: 'the symbols that are named are not those that would be written',
    why: 'a contract is held against the symbols that are named, so they have to be all of them',
    fix: 'name exactly what `candidates`, or the answer of the plan, lists; what a contract does not cover cannot be part of the plan',
  },
  PLAN_UNKNOWN: {
    means: 'there is no such open plan, or nothing to plan',
    why: 'it was applied or withdrawn, has expired, or never existed',
    fix: 'plan it again, and apply the plan that the answer names',
  },
  PLAN_TOO_LARGE: {
    means: 'the plan, or what it has to be held against, is too large',
    why: 'everything that is read for a decision has a limit',
    fix: 'split the work into several plans',
  },
  CHANGE_UNKNOWN: {
    means: 'the change that is to be undone is not among the last ones of the artifact',
    why: 'it is too old, was made before the file was changed by other means, or does not exist',
    fix: 'name one of `candidates`, or plan the opposite as a change of its own',
  },
  MERGE_CONFLICT: {
    means: 'both sides changed the same symbol, or one changed what the other relies on',
    why: 'a person has to choose between the two',
    fix: 'plan the changes that are wanted on `main` as changes of their own; `fixes` lists the conflicts',
  },
}
