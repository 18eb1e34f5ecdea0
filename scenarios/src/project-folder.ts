/** A folder of files whose symbols agents change: what they propose, and what lies on the disk. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createDirectDesk } from 'rubicon-artifacts/desk'
import type { Answer, Contract, JsonObject, JsonValue } from 'rubicon-kernel'
import type { Runtime, RuntimeOptions } from 'rubicon-runtime/compose'
import { buildContract } from '../../server/src/demo/contract.ts'
import type { Stage } from '../../server/src/demo/stage.ts'

export type PlannedChange = { readonly plan: string; readonly symbols: readonly string[] }

const CHANGING = ['artifact.plan', 'artifact.apply', 'artifact.withdraw', 'artifact.adopt']
const READING = ['artifact.list', 'artifact.symbols', 'artifact.read']

export class ProjectFolder {
  readonly place: string

  /** Below the folder of the stage. */
  constructor(stage: Stage, files: Readonly<Record<string, string>>) {
    this.place = join(stage.folder, 'project')
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.place, file)), { recursive: true })
      writeFileSync(join(this.place, file), text)
    }
  }

  /** Planned in this process: these texts are our own. */
  get artifacts(): NonNullable<RuntimeOptions['artifacts']> {
    return { files: this.place, desk: createDirectDesk() }
  }

  read(file: string): string {
    return readFileSync(join(this.place, file), 'utf8')
  }
}

/** It may change these symbols, and read all. */
export function buildCoderContract(agent: string, symbols: readonly string[]): Contract {
  return buildContract(agent, [...CHANGING, ...READING], {
    permissions: {
      resources: {
        symbols: { allow: [...symbols], applies_to: CHANGING },
        read_symbols: { allow: ['*'], applies_to: READING },
      },
    },
  })
}

export async function proposeArtifact(
  runtime: Runtime,
  agent: string,
  kind: string,
  params: JsonObject,
): Promise<Answer> {
  const flow = await runtime.open({ agent, trigger: 'work on the project' })
  const answer = await flow.propose({ policy_kind: `artifact.${kind}`, params })
  return answer.execution?.status === 'PENDING' ? flow.settled() : answer
}

/** Null: it was refused. */
export function readPlan({ execution }: Answer): PlannedChange | null {
  const result = execution?.status === 'SUCCESS' ? execution.result : null
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return null
  const { plan, symbols } = result as { plan?: JsonValue; symbols?: JsonValue }
  if (typeof plan !== 'string' || !Array.isArray(symbols)) return null
  return { plan, symbols: symbols.map(String) }
}

/** Whoever needs the plan of an answer that has none is told what it says. */
export function demandPlan(answer: Answer): PlannedChange {
  const plan = readPlan(answer)
  if (plan === null) throw new Error(`it was not planned: ${JSON.stringify(answer)}`)
  return plan
}

/** Why the hands refused it; empty: they did not. */
export function findRefusalCode({ execution }: Answer): string {
  const code = execution?.details?.code
  return typeof code === 'string' ? code : ''
}

export async function adoptFiles(
  runtime: Runtime,
  agent: string,
  files: readonly string[],
): Promise<Answer> {
  return proposeArtifact(runtime, agent, 'adopt', { artifacts: [...files], symbols: [...files] })
}

export async function applyPlan(
  runtime: Runtime,
  agent: string,
  { plan, symbols }: PlannedChange,
): Promise<Answer> {
  return proposeArtifact(runtime, agent, 'apply', { plan, symbols: [...symbols] })
}
