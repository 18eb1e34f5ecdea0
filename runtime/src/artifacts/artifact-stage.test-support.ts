/** A real runtime on a folder of files, and agents that plan and apply changes of them. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createDirectDesk } from 'rubicon-artifacts/desk'
import { computeContentHash } from 'rubicon-artifacts/store'
import type { Answer, JsonObject, JsonValue } from 'rubicon-kernel'
import { createRuntime, type Flow, type Runtime, type RuntimeOptions } from '../compose.ts'
import type { OpenRequest } from '../engine/flow/open.ts'
import { foundByBoth } from '../evidence/both-verifiers.test-support.ts'
import { exportLedger } from '../evidence/export-ledger.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'

export const KINDS: readonly string[] = [
  ...['artifact.plan', 'artifact.apply', 'artifact.withdraw', 'artifact.adopt'],
  ...['artifact.list', 'artifact.symbols', 'artifact.read'],
]

export const CLASS_A = `import { log } from './log.ts'

export class A {
  one(): number {
    return 1
  }

  two(): number {
    return 2
  }
}

export class B {
  other(): number {
    return 3
  }
}
`

export const FILES: Readonly<Record<string, string>> = {
  'src/a.ts': CLASS_A,
  'src/log.ts':
    'export const level = 1\n\nexport function log(text: string): void {\n  console.log(text)\n}\n',
  'src/use.ts': `import { A } from './a.ts'\n\nexport function use(): number {\n  return new A().one()\n}\n`,
}

export type ArtifactStage = {
  readonly runtime: Runtime
  readonly folder: string
  /** What lies in the file. */
  read(name: string): string
  write(name: string, text: string): void
  /** A flow of its own for each. */
  propose(agent: string, kind: string, params: JsonObject): Promise<Answer>
  open(agent: string, more?: Partial<OpenRequest>): Promise<Flow>
  /** The name of the plan and its symbols; fails where it was refused. */
  plan(agent: string, deltas: JsonValue[], symbols: string[], more?: JsonObject): Promise<Planned>
  apply(agent: string, plan: Planned): Promise<Answer>
  world(kind: string, id: string, trajectory?: string): Promise<JsonObject | null>
  /** Both verifiers find nothing, and World names the bytes on the disk. */
  verify(): Promise<void>
  close(): Promise<void>
}

export type Planned = { readonly plan: string; readonly symbols: string[] }

export type StageOptions = {
  readonly files?: Readonly<Record<string, string>>
  readonly folder?: string
  /** By agent: what it may write. */
  readonly agents?: Readonly<Record<string, readonly string[]>>
  readonly safety?: JsonObject
  /** The keeper stands above the others, and chooses what is taken back. */
  readonly isKept?: boolean
  readonly artifacts?: Partial<NonNullable<RuntimeOptions['artifacts']>>
  /** Texts are read in a process of its own. */
  readonly isApart?: boolean
  readonly runtime?: RuntimeOptions
}

export async function openStage(options: StageOptions = {}): Promise<ArtifactStage> {
  const { files = FILES, agents = { ann: ['*'], bob: ['*'] } } = options
  const isNew = options.folder === undefined
  const folder = options.folder ?? temporaryFolder()
  const locate = (name: string): string => join(folder, 'project', name)
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(locate(name)), { recursive: true })
    writeFileSync(locate(name), text)
  }
  if (isNew) for (const [name, text] of Object.entries(files)) write(name, text)
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: join(folder, 'state'),
    report: () => {},
    ...options.runtime,
    artifacts: {
      files: join(folder, 'project'),
      ...(options.isApart === true ? {} : { desk: createDirectDesk() }),
      ...options.artifacts,
    },
  })
  const stage = createStage(runtime, folder, { locate, write })
  for (const [agent, symbols] of Object.entries({ keeper: ['*'], ...agents }))
    await runtime.deploy({
      ...buildContract(agent, symbols, options.safety),
      ...(options.isKept === true && agent !== 'keeper' ? { parent_agent: 'keeper' } : {}),
    })
  if (isNew) {
    const names = Object.keys(files)
    const adopted = await stage.propose('keeper', 'artifact.adopt', {
      artifacts: names,
      symbols: names,
    })
    assertApplied(adopted)
  }
  return stage
}

function createStage(
  runtime: Runtime,
  folder: string,
  { locate, write }: { locate(name: string): string; write: ArtifactStage['write'] },
): ArtifactStage {
  const open: ArtifactStage['open'] = (agent, more = {}) =>
    runtime.open({ agent, trigger: 'work', ...more })
  const propose: ArtifactStage['propose'] = async (agent, kind, params) => {
    const flow = await open(agent)
    const answer = await flow.propose({ policy_kind: kind, params })
    // A process takes long to start where much else is done.
    return answer.execution?.status === 'PENDING' ? flow.settled() : answer
  }
  const world: ArtifactStage['world'] = async (kind, id, trajectory = 'main') => {
    const [fact] = await runtime.store.readResources(trajectory, [{ kind, id }])
    return fact === undefined || fact.retracted ? null : (fact.value as JsonObject)
  }
  return {
    ...{ runtime, folder, write, open, propose, world },
    read: (name) => readFileSync(locate(name), 'utf8'),
    async plan(agent, deltas, symbols, more = {}) {
      const changes = [{ artifact: 'src/a.ts', deltas, ...more }]
      const answer = await propose(agent, 'artifact.plan', { changes, symbols })
      return toPlanned(answer)
    },
    apply: (agent, plan) => propose(agent, 'artifact.apply', { ...plan }),
    async verify() {
      const lines: string[] = []
      await runtime.engine.checkpoint()
      await exportLedger(runtime.store, (line) => void lines.push(line))
      assert.deepEqual(await foundByBoth(lines.join('')), [])
      for (const { kind, id, value, retracted } of await runtime.store.listWorld('main', null, 100))
        if (kind === 'artifact' && !retracted) {
          const { content_hash } = value as JsonObject
          assert.equal(content_hash, computeContentHash(readFileSync(locate(id))))
        }
    },
    close: () => runtime.close(),
  }
}

export function toPlanned(answer: Answer): Planned {
  assertApplied(answer)
  const { plan, symbols } = (answer.execution?.result ?? {}) as JsonObject & Planned
  return { plan, symbols }
}

export function assertApplied(answer: Answer): void {
  assert.equal(answer.execution?.status, 'SUCCESS', JSON.stringify(answer, null, 1).slice(0, 4_000))
}

/** The code of the hands, or of the decision with what its precondition says. */
export function findRefusal(answer: Answer): string {
  const details = answer.execution?.details
  if (typeof details?.code === 'string') return details.code
  const words = JSON.stringify(answer.feedback ?? {})
  const [named = ''] = /PLAN_[A-Z]+/.exec(words) ?? []
  return `${answer.reason_code ?? answer.outcome} ${named}`.trim()
}

function buildContract(
  agent: string,
  symbols: readonly string[],
  safety: JsonObject = {},
): JsonObject {
  return {
    api_version: 'rubicon/v1',
    kind: 'ResponsibilityContract',
    agent_id: agent,
    version: '1.0.0',
    owner: 'jane.doe@example.com',
    effective_from: '2026-01-01',
    role: 'EXECUTOR',
    authority: 'EXECUTE_LIMITED',
    mission: 'Change what is asked for.',
    compensation: ['REVERT', 'ALERT_HUMAN'],
    permissions: {
      policy_kinds: [...KINDS, 'COMPENSATE'],
      resources: {
        symbols: {
          allow: [...symbols],
          applies_to: ['artifact.plan', 'artifact.apply', 'artifact.withdraw', 'artifact.adopt'],
        },
        read_symbols: {
          allow: ['*'],
          applies_to: ['artifact.list', 'artifact.symbols', 'artifact.read'],
        },
      },
    },
    ...(Object.keys(safety).length === 0 || agent === 'keeper' ? {} : { safety_rules: safety }),
  }
}

export function addMethod(name: string, target = 'class:A'): JsonObject {
  return { op: 'addMember', target, fragment: `${name}(): number {\n  return 0\n}` }
}
