/** Decisions under atoms: good ones, and ones that were issued on something else, for somebody else, or by nobody. */
import {
  type AtomFact,
  COVERED_STAGES,
  type CompileInput,
  computeAtomId,
  judgeAtomKind,
  toAddressed,
  toAtomBody,
  toUnsignedAtom,
} from 'rubicon-kernel'
import { formatTimeFromNow } from './case.ts'
import { hashSha256, type Open } from './case-parts.ts'
import type { Mutation } from './mutation.ts'

type Changing = (fact: Open<AtomFact>) => void

const OTHER = `sha256:${'0'.repeat(64)}` as const

/** As the kernel would have issued it. What could not be issued on what stands now was issued before that. */
function createAtomFact(input: CompileInput): Open<AtomFact> {
  const { value: facts } = input.facts
  const judged = judgeAtomKind(settle(input))
  const atom = {
    dfid: facts.flow.dfid,
    agent_id: facts.flow.agent_id,
    nonce: 'n',
    policy_kinds: [input.proposal.policy_kind],
    contract_hash: facts.contract?.hash ?? OTHER,
    capability_hashes: { [input.proposal.policy_kind]: facts.capability?.hash ?? OTHER },
    writ_id: input.writs[0]?.id ?? OTHER,
    grammar_hash: null,
    snapshot_id: facts.flow.snapshot_id,
    mission_context_hash: facts.contract?.mission_hash ?? OTHER,
    rules_hash: facts.rules_hash,
    authority_seq: judged.ok ? facts.authority_seq : facts.authority_seq - 1,
    reserved_cost: { calls: '1' },
    covers: [...COVERED_STAGES],
    issued_at: formatTimeFromNow(-10_000),
    expires_at: formatTimeFromNow(50_000),
    kernel_signature: { key_id: 'key-kernel', sig: 'c2ln' },
    atom_id: OTHER as `sha256:${string}`,
  }
  const signature = {
    key_id: 'key-kernel',
    purpose: 'kernel',
    subject: 'rubicon',
    valid: true,
  } as const
  return { atom, signature, ended: null }
}

/** As it was before what can end at any moment has ended: an atom may be older than that. */
function settle(input: CompileInput): CompileInput {
  const { value } = input.facts
  return {
    ...input,
    facts: {
      ...input.facts,
      value: {
        ...value,
        now: formatTimeFromNow(0),
        agent: { status: 'ACTIVE', maintenance: false },
        contract: value.contract === null ? null : { ...value.contract, revoked: false },
        flow: { ...value.flow, revoked_writ: null },
        writs: value.writs.map((writ) => ({ ...writ, revoked: false })),
      },
    },
  }
}

/** The same decision under an atom; its address is that of what it says, after the changes. */
export function nameAtom<T extends CompileInput>(input: T, changes: readonly Changing[]): T {
  if (changes.length === 0) return input
  const fact = createAtomFact(input)
  for (const change of changes) change(fact)
  const said = fact as AtomFact
  const atom_id = computeAtomId(toAtomBody(toUnsignedAtom(said.atom)), hashSha256)
  const atom: AtomFact = { ...said, atom: { ...said.atom, atom_id } }
  return {
    ...input,
    proposal: { ...input.proposal, atom_id },
    facts: toAddressed('facts', { ...input.facts.value, atom }, hashSha256),
  }
}

const draw =
  (change: Changing): Mutation =>
  (draft) => {
    draft.atoms.push(change)
  }

export const ATOM: Readonly<Record<string, Mutation>> = {
  atomGood: draw(() => undefined),
  atomOfOldAuthority: draw(({ atom }) => {
    atom.authority_seq -= 1
  }),
  atomOfOtherRules: draw(({ atom }) => {
    atom.rules_hash = OTHER
  }),
  atomOfOtherSnapshot: draw(({ atom }) => {
    atom.snapshot_id = OTHER
  }),
  atomOfOtherMission: draw(({ atom }) => {
    atom.mission_context_hash = OTHER
  }),
  atomOfOtherCapability: draw(({ atom }) => {
    atom.capability_hashes = {}
  }),
  atomOfOtherFlow: draw(({ atom }) => {
    atom.dfid = '0195555c-0000-7000-8000-000000000002'
  }),
  atomOfOtherAgent: draw(({ atom }) => {
    atom.agent_id = 'somebody'
  }),
  atomOfOtherContract: draw(({ atom }) => {
    atom.contract_hash = OTHER
  }),
  atomOfOtherWrit: draw(({ atom }) => {
    atom.writ_id = OTHER
  }),
  atomOfOtherKind: draw(({ atom }) => {
    atom.policy_kinds = ['SELL']
  }),
  atomUnsigned: draw((fact) => {
    fact.signature.valid = false
  }),
  atomOfAgentsKey: draw((fact) => {
    fact.signature.purpose = 'agent'
  }),
  atomEndsNow: draw(({ atom }) => {
    atom.expires_at = formatTimeFromNow(0)
  }),
  atomEndsNext: draw(({ atom }) => {
    atom.expires_at = formatTimeFromNow(1)
  }),
  atomUsed: draw((fact) => {
    fact.ended = 'used'
  }),
  atomReturned: draw((fact) => {
    fact.ended = 'returned'
  }),
}
