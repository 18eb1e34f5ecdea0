/** Reads a draft, and asks it. Only where it may take long: whoever wrote it chose how long. */
import { createHash } from 'node:crypto'
import {
  describeExcessCost,
  err,
  type Failure,
  LIMITS,
  ok,
  type PolicyAnswer,
  type Result,
  type Sha256,
} from 'rubicon-kernel'
import type { CedarInput, CedarPolicy } from 'rubicon-runtime/policies'
import type {
  CheckedNames,
  Draft,
  DraftCapability,
  DraftFound,
  DraftKind,
  DraftPolicy,
  DraftRules,
} from './draft.ts'

const computeSha256: Sha256 = (bytes) => createHash('sha256').update(bytes).digest()

type Latest = { readonly options: DraftPolicy; readonly draft: Result<CedarPolicy, Failure> }
let latest: Latest | null = null

const importContractReader = () => import('rubicon-runtime/contract-file')
const importMonitorReader = () => import('rubicon-runtime/contract-file')
const importPolicyLoader = () => import('rubicon-runtime/policies')
const READERS = {
  contract: importContractReader,
  monitor: importMonitorReader,
  policy: importPolicyLoader,
  names: importPolicyLoader,
  answer: importPolicyLoader,
} as const

/** Loads what reads this kind, and nothing else: a thread may be started for one draft. */
export async function loadReader(kind: DraftKind): Promise<void> {
  await READERS[kind]()
}

export async function judgeDraft(draft: Draft): Promise<DraftFound[DraftKind]> {
  try {
    return await evaluateDraft(draft)
  } catch (error) {
    if (error instanceof RangeError) return err(createTooDeepFailure(draft))
    throw error
  }
}

async function evaluateDraft(draft: Draft): Promise<DraftFound[DraftKind]> {
  switch (draft.kind) {
    case 'contract': {
      const { parseContractText } = await importContractReader()
      return parseContractText(draft.text, draft.kind)
    }
    case 'monitor': {
      const { parseMonitorText } = await importMonitorReader()
      return parseMonitorText(draft.text, draft.kind)
    }
    case 'policy': {
      const read = await readPolicy(draft.policy)
      return read.ok ? ok(dropEvaluator(read.value)) : read
    }
    case 'names': {
      const read = await readPolicy(draft.policy)
      return read.ok ? ok(await checkNames(read.value, draft.known)) : read
    }
    case 'answer': {
      const read = await readPolicy(draft.policy)
      return read.ok ? ok(evaluatePolicy(read.value, draft.input)) : read
    }
  }
}

function dropEvaluator({ evaluate: _, steps: __, ...rules }: CedarPolicy): DraftRules {
  return rules
}

async function checkNames(
  policy: CedarPolicy,
  known: readonly DraftCapability[],
): Promise<CheckedNames> {
  const { findUnknownNames } = await importPolicyLoader()
  const { hasSchemaPlace } = await import('rubicon-runtime/capabilities')
  const rules = dropEvaluator(policy)
  const named = { ...rules, evaluate: refuseToJudge }
  const capabilities = known.map(({ kind, measures, params }) => {
    return {
      kind,
      measures,
      hasParameter: (path: readonly string[]) => hasSchemaPlace(params, path),
    }
  })
  const unknown = findUnknownNames(named, capabilities).slice(0, LIMITS.documentProblems)
  return { rules, unknown }
}

function refuseToJudge(): never {
  throw new Error('names are read, and nothing is judged')
}

/** As where it is in force: what throws, or costs too much, refuses. */
function evaluatePolicy(policy: CedarPolicy, input: CedarInput): PolicyAnswer {
  try {
    const steps = policy.steps(input)
    if (steps > LIMITS.policySteps) throw new Error(describeExcessCost(steps))
    return policy.evaluate(input)
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { decision: null, erroring: [{ rule: policy.name, detail }] }
  }
}

/** One that is tried is asked about many decisions. */
async function readPolicy(options: DraftPolicy): Promise<Result<CedarPolicy, Failure>> {
  const { draftPolicy } = await importPolicyLoader()
  const isSame = latest?.options.text === options.text && latest.options.name === options.name
  if (latest === null || !isSame) latest = { options, draft: draftPolicy(options, computeSha256) }
  return latest.draft
}

function createTooDeepFailure({ kind }: Draft): Failure {
  const code = kind === 'contract' ? 'CONTRACT_INVALID' : 'MONITOR_INVALID'
  return { code, summary: `the ${kind} is nested too deeply`, fix: 'write it flatter' }
}
