/** `rubicon keys register`: nobody registers a key without proving that they hold it. */
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isObject, KEY_PURPOSES, type KeyPurpose, parseJson } from 'rubicon-kernel'
import type { KeyRegistration } from 'rubicon-runtime/engine/authority'
import { executeAsOperator } from './as-operator.ts'
import { type CommandCall, createUsageFailure } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { writeOnceRegistered } from './key-file.ts'
import { buildPossession } from './key-possession.ts'
import { SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'

export async function registerKeyOf(call: CommandCall): Promise<ExitCode> {
  const { args, out } = call
  const [file] = args
  const made = file === undefined ? makeKey(call) : null
  const registration = made?.registration ?? readRegistration(file ?? '')
  const asked = { body: registration, ...createIdempotencyKey() }
  const register = () =>
    executeAsOperator(call, async (client) => unwrapAnswer(await client.registerKey(asked)))
  const body =
    made === null ? await register() : await writeOnceRegistered(made.out, made.pem, register)
  out.line(`${out.symbol(SYMBOLS.allowed)} ${body.key_id} registered for ${body.subject}`)
  if (made !== null)
    out.note(`${SYMBOLS.info} the private key is in ${made.out}, readable by you only`)
  out.data({ ...body, private_key: made?.out ?? null })
  return EXIT.done
}

type Made = { readonly registration: KeyRegistration; readonly pem: string; readonly out: string }

function makeKey({ options }: CommandCall): Made {
  const purpose = parseKeyPurpose(options.getRequired('purpose', '--purpose PURPOSE'))
  const subject = options.getRequired('subject', '--subject WHO')
  const out = options.getRequired('out', '--out FILE')
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    registration: buildPossession(privateKey, purpose, subject),
    pem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    out,
  }
}

/** `{purpose, subject, public_key, possession}`, as the owner of the key wrote it. */
function readRegistration(file: string): KeyRegistration {
  const parsed = parseJson(readFileSync(file))
  const value = parsed.ok && isObject(parsed.value) ? parsed.value : {}
  const { purpose, subject, public_key, possession } = value
  const texts = [purpose, subject, public_key, possession]
  if (texts.some((text) => typeof text !== 'string'))
    throw createUsageFailure(
      `\`${file}\` is not a key registration`,
      'write {"purpose", "subject", "public_key", "possession"}, all text',
    )
  return {
    purpose: parseKeyPurpose(String(purpose)),
    subject: String(subject),
    public_key: String(public_key),
    possession: String(possession),
  }
}

function parseKeyPurpose(text: string): KeyPurpose {
  const purpose = KEY_PURPOSES.find((known) => known === text)
  if (purpose !== undefined) return purpose
  throw createUsageFailure(
    `\`${text}\` is not a purpose of keys`,
    `use one of ${KEY_PURPOSES.join(', ')}`,
  )
}
