/** A timeout in a YAML file: set through its schema, by its place in the tree. Comments and layout are nobody's to change. */
import type { Answer, JsonValue } from 'rubicon-kernel'
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

const FILE = 'config/service.yaml'
const TIMEOUT = 'key:server/key:timeout'
const OPERATOR = 'tunes_service'
const TEXT = `# Of the shop; ask before you change it.
server:
  host:    127.0.0.1   # stays local
  timeout: 30          # seconds
  paths: [ "/", "/health" ]

limits: { requests: 100 }
`
const SCHEMA = {
  type: 'object',
  properties: {
    server: {
      type: 'object',
      properties: {
        host: { type: 'string' },
        timeout: { type: 'integer', minimum: 1, maximum: 120 },
        paths: { type: 'array', items: { type: 'string' } },
      },
      required: ['host', 'timeout'],
      additionalProperties: false,
    },
    limits: { type: 'object' },
  },
  required: ['server'],
  additionalProperties: false,
}

export const scenario: Scenario = { name: 'config-tree', play }

async function play(stage: Stage): Promise<void> {
  const folder = new ProjectFolder(stage, { [FILE]: TEXT })
  const runtime = await stage.openRuntime({
    artifacts: { ...folder.artifacts, schemas: { [FILE]: SCHEMA } },
  })
  await runtime.deploy(buildCoderContract(OPERATOR, [FILE, `${FILE} key:server/key:timeout`]))
  await adoptFiles(runtime, OPERATOR, [FILE])
  const planned = await planValue(runtime, TIMEOUT, 45)
  const applied = await applyPlan(runtime, OPERATOR, demandPlan(planned))
  stage.recordDecision('server.timeout becomes 45', applied, { outcome: 'ACCEPTED' })
  const wanted = TEXT.replace('timeout: 30', 'timeout: 45')
  stage.check(
    'one value is another, comments and layout are as they were',
    folder.read(FILE) === wanted,
  )
  for (const [words, value] of [
    ['a text where a number belongs', 'soon'],
    ['a number beyond the most', 600],
    ['a fraction', 1.5],
    ['a tree of its own', { seconds: 45 }],
  ] as const) {
    const refused = findRefusalCode(await planValue(runtime, TIMEOUT, value))
    stage.check(`${words} is refused when it is planned`, refused === 'SCHEMA_VIOLATION')
  }
  const outside = await planValue(runtime, 'key:server/key:host', '0.0.0.0')
  stage.recordDecision('the host is not its to change', outside, {
    outcome: 'REJECTED',
    reason_code: 'RESOURCE_SCOPE',
  })
  const missing = await proposeDelta(runtime, 'key:server/key:timeuot', 45, TIMEOUT)
  stage.check('a key that is not there is not made by a slip', findRefusalCode(missing) !== '')
  stage.check('the file is as the one change left it', folder.read(FILE) === wanted)
  await stage.close(runtime)
}

function planValue(runtime: Runtime, path: string, value: JsonValue): Promise<Answer> {
  return proposeDelta(runtime, path, value, path)
}

function proposeDelta(
  runtime: Runtime,
  target: string,
  value: JsonValue,
  named: string,
): Promise<Answer> {
  return proposeArtifact(runtime, OPERATOR, 'plan', {
    changes: [{ artifact: FILE, deltas: [{ op: 'setValue', target, value }] }],
    symbols: [`${FILE} ${named}`],
  })
}
