import { type Proof, SEED } from '../proof.ts'
import { runArtifactsProof } from './main.ts'

export const ARTIFACTS_PROOF: Proof = {
  name: 'artifacts',
  summary:
    'deltas of several authors: undone in any order, the same bytes in any order, mistakes refused',
  counts: 'parts',
  options: {
    cases: ['batches to undo', 1000],
    permutations: ['of one batch of each format', 100],
    violations: ['mistakes to seed', 1000],
    seed: SEED,
    threads: ['how many; 0: one a core', 0],
  },
  async run(options, _store, progress) {
    const report = await runArtifactsProof({
      cases: options('cases'),
      permutations: options('permutations'),
      violations: options('violations'),
      seed: options('seed'),
      ...(options('threads') > 0 ? { threads: options('threads') } : {}),
      progress,
    })
    return { report, good: report.failures.length === 0 }
  },
}
