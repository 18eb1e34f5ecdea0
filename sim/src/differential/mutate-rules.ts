/** Changes of what is recorded of the rules, and of what the process holds: stage 1. */
import type { Mutation } from './mutation.ts'

const OTHER = 'sha256:other'

export const RULES: Readonly<Record<string, Mutation>> = {
  rulesReplaced: (draft) => {
    draft.late.push(({ facts }) => {
      facts.in_force.rules = [OTHER]
    })
  },
  rulesOverlap: (draft, chance) => {
    draft.late.push(({ facts }) => {
      facts.in_force.rules = chance.once(2) ? [OTHER, ...facts.in_force.rules] : [OTHER, OTHER]
    })
  },
  rulesUnrecorded: (draft) => {
    draft.late.push(({ facts }) => {
      facts.in_force.rules = []
    })
  },
  capabilityReplaced: (draft, chance) => {
    draft.late.push(({ facts }) => {
      facts.in_force.capability = chance.pick([[], [OTHER], [OTHER, facts.capability?.hash ?? '']])
    })
  },
}
