/** `rubicon agents spawn`: an instance of a class, under its contract or less. */
import { readFileSync } from 'node:fs'
import { isObject, type JsonObject } from 'rubicon-kernel'
import { parseYaml } from 'rubicon-runtime/contract-file'
import { executeAsOperator } from './as-operator.ts'
import { type CommandCall, createUsageFailure, getArgument } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'

export async function spawnAgent(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const ofClass = getArgument(call, 0, 'CLASS')
  const instance = getArgument(call, 1, 'INSTANCE')
  const file = options.text('narrowing')
  const parent = options.text('parent')
  const body = {
    instance,
    ...(file === undefined ? {} : { narrowing: readNarrowing(file) }),
    ...(parent === undefined ? {} : { parent }),
  }
  const asked = { params: { id: ofClass }, body, ...createIdempotencyKey() }
  const spawned = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.spawnInstance(asked)),
  )
  const how = spawned.unchanged ? 'is there already' : 'spawned'
  out.line(`${out.symbol(SYMBOLS.allowed)} ${instance} ${how}, an instance of ${ofClass}`)
  out.data(spawned)
  return EXIT.done
}

/** YAML, and so JSON too. */
function readNarrowing(file: string): JsonObject {
  const read = parseYaml(readFileSync(file, 'utf8'))
  if (read.ok && isObject(read.value.value)) return read.value.value
  throw createUsageFailure(
    `\`${file}\` is not a map`,
    'write only what is narrower than in the contract',
  )
}
