import { type Proof, SEED } from '../proof.ts'
import { runMcpProof } from './main.ts'

export const MCP_PROOF: Proof = {
  name: 'mcp',
  summary: 'hostile MCP servers and clients: nothing twice, unapproved, lost or outside',
  counts: 'cases',
  options: { cases: ['tricks to play', 1000], seed: SEED },
  async run(options, _store, progress) {
    const [cases, seed] = [options('cases'), options('seed')]
    const report = await runMcpProof({ cases, seed, progress })
    const { twice, unapproved, lost, outside, unexpected } = report
    return { report, good: twice + unapproved + lost + outside + unexpected === 0 }
  },
}
