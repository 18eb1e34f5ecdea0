/**
 * Two agents work on one class. What they add lands, whoever is first, with the same bytes; what both want to replace is refused to the
 * second when it is planned, and nothing has to be merged.
 */
import type { Answer, JsonObject } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'
import type { Scenario, Stage } from '../../server/src/demo/stage.ts'
import {
  adoptFiles,
  applyPlan,
  buildCoderContract,
  demandPlan,
  findRefusalCode,
  ProjectFolder,
  proposeArtifact,
} from './project-folder.ts'

const FILES = ['src/cart.ts', 'src/basket.ts'] as const
const TEXT = `/** What a customer is about to buy. */
export class Cart {
  readonly items: string[] = []

  add(item: string): void {
    this.items.push(item)
  }
}

// Not of the class.
export const EMPTY = new Cart()
`
const CLERKS = ['adds_clear', 'adds_count'] as const
type Clerk = (typeof CLERKS)[number]
const METHODS: Readonly<Record<Clerk, { readonly name: string; readonly text: string }>> = {
  adds_clear: { name: 'clear', text: 'clear(): void {\n  this.items.length = 0\n}' },
  adds_count: { name: 'count', text: 'count(): number {\n  return this.items.length\n}' },
}

export const scenario: Scenario = { name: 'two-agents-one-class', play }

async function play(stage: Stage): Promise<void> {
  const files = Object.fromEntries(FILES.map((file) => [file, TEXT]))
  const folder = new ProjectFolder(stage, files)
  const runtime = await stage.openRuntime({ artifacts: folder.artifacts })
  const scope = FILES.flatMap((file) => [file, `${file} class:Cart*`])
  for (const clerk of CLERKS) await runtime.deploy(buildCoderContract(clerk, scope))
  const adopted = await adoptFiles(runtime, CLERKS[0], FILES)
  stage.recordDecision('two files with the same class are adopted', adopted, {
    outcome: 'ACCEPTED',
  })
  for (const [index, file] of FILES.entries())
    await playAdditions(stage, runtime, file, index === 0 ? CLERKS : CLERKS.toReversed())
  const [first, second] = FILES.map((file) => folder.read(file))
  stage.check('whoever was first, the class has the same bytes', first === second)
  const [head, tail] = [
    TEXT.slice(0, TEXT.indexOf('}\n\n// Not')),
    TEXT.slice(TEXT.indexOf('// Not')),
  ]
  const isElsewhereSame = first?.startsWith(head) === true && first.endsWith(tail)
  stage.check('and elsewhere nothing has changed', isElsewhereSame)
  for (const file of FILES) await playReplacements(stage, runtime, file)
  await playOutside(stage, runtime, folder)
  await stage.close(runtime)
}

async function playAdditions(
  stage: Stage,
  runtime: Runtime,
  file: string,
  order: readonly Clerk[],
): Promise<void> {
  const plans = new Map<Clerk, Answer>()
  for (const clerk of CLERKS) {
    const { name, text } = METHODS[clerk]
    const delta = { op: 'addMember', target: 'class:Cart', fragment: text }
    plans.set(clerk, await plan(runtime, clerk, file, delta, `class:Cart/method:${name}`))
  }
  for (const clerk of order) {
    const planned = plans.get(clerk)
    if (planned === undefined) throw new Error('each of them has planned')
    const answer = await applyPlan(runtime, clerk, demandPlan(planned))
    stage.recordDecision(`\`${METHODS[clerk].name}\` is added to ${file}`, answer, {
      outcome: 'ACCEPTED',
    })
  }
}

async function playReplacements(stage: Stage, runtime: Runtime, file: string): Promise<void> {
  const replace = (agent: Clerk, statement: string): Promise<Answer> => {
    const target = 'class:Cart/method:add'
    const delta = { op: 'replaceBody', target, fragment: `{\n  ${statement}\n}` }
    return plan(runtime, agent, file, delta, target)
  }
  const [one, other] = CLERKS
  const first = await replace(one, 'this.items.unshift(item)')
  const second = await replace(other, "if (item !== '') this.items.push(item)")
  stage.check(
    `both want to replace one method of ${file}: the second is told when it plans`,
    findRefusalCode(first) === '' && findRefusalCode(second) === 'PLAN_CONFLICT',
  )
  const applied = await applyPlan(runtime, one, demandPlan(first))
  stage.recordDecision('the first is applied', applied, { outcome: 'ACCEPTED' })
}

/** What is not in its contract it can name, and it is refused. */
async function playOutside(stage: Stage, runtime: Runtime, folder: ProjectFolder): Promise<void> {
  const [file] = FILES
  const before = folder.read(file)
  const delta = { op: 'remove', target: 'variable:EMPTY' }
  const answer = await plan(runtime, CLERKS[0], file, delta, 'variable:EMPTY')
  stage.recordDecision('a constant beside the class is not theirs', answer, {
    outcome: 'REJECTED',
    reason_code: 'RESOURCE_SCOPE',
  })
  const hidden = await plan(runtime, CLERKS[0], file, delta, 'class:Cart/method:add')
  stage.check('nor under the name of another symbol', findRefusalCode(hidden) === 'PLAN_SYMBOLS')
  stage.check('the file is as it was', folder.read(file) === before)
}

function plan(
  runtime: Runtime,
  agent: Clerk,
  file: string,
  delta: JsonObject,
  path: string,
): Promise<Answer> {
  return proposeArtifact(runtime, agent, 'plan', {
    changes: [{ artifact: file, deltas: [delta] }],
    symbols: [`${file} ${path}`],
  })
}
