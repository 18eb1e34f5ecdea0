/** `rubicon person …`: who is who, and what operators say about it. */
import type { Client, Person } from 'rubicon-agents/client'
import { assertUnreachable, type Identity, isBlank } from 'rubicon-kernel'
import { executeAsOperator } from './as-operator.ts'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, createUsageFailure, getArgument } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { ALL_ROWS, collectRows, type RowPage } from './list-pages.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'

export async function showPersons(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const { rows: persons, next } = await executeAsReader(call, (client) => readPersons(client))
  const rows = persons.map(({ person_id, names, logins }) => [
    person_id,
    names.join(', ') || '-',
    logins.map(({ issuer, sub }) => `${sub} at ${issuer}`).join(', ') || '-',
  ])
  for (const line of formatTable([['PERSON', 'NAMES', 'LOGINS'], ...rows])) out.line(line)
  out.data({ persons, next })
  return EXIT.done
}

export async function registerPerson(call: CommandCall): Promise<ExitCode> {
  const name = getArgument(call, 0, 'NAME')
  const done = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.registerPerson({ body: { name } })),
  )
  return reportPerson(call, done.person_id, done.unchanged ? `is ${name} already` : `is ${name}`)
}

export async function linkLogin(call: CommandCall): Promise<ExitCode> {
  const person = getArgument(call, 0, 'PERSON')
  const identity = parseIdentityOptions(call)
  const done = await executeAsOperator(call, async (client) => {
    const params = { id: await resolvePerson(client, person) }
    return unwrapAnswer(await client.linkIdentity({ params, body: toIdentityBody(identity) }))
  })
  return reportPerson(
    call,
    done.person_id,
    `is ${formatIdentity(identity)}${done.unchanged ? ' already' : ''}`,
  )
}

export async function unlinkLogin(call: CommandCall): Promise<ExitCode> {
  const person = getArgument(call, 0, 'PERSON')
  const identity = parseIdentityOptions(call)
  const what = `${formatIdentity(identity)} is not \`${person}\` any more: it decides nothing, and is erased`
  await confirm(call, { what, name: person })
  const done = await executeAsOperator(call, async (client) => {
    const params = { id: await resolvePerson(client, person) }
    return unwrapAnswer(await client.unlinkIdentity({ params, query: toIdentityBody(identity) }))
  })
  return reportPerson(
    call,
    done.person_id,
    `is ${formatIdentity(identity)} no longer, and that is erased`,
  )
}

export async function mergeTwo(call: CommandCall): Promise<ExitCode> {
  const person = getArgument(call, 0, 'PERSON')
  const into = getArgument(call, 1, 'INTO')
  const what = `\`${person}\` and \`${into}\` count as one from here on, for ever`
  await confirm(call, { what, name: person })
  const done = await executeAsOperator(call, async (client) => {
    const params = { id: await resolvePerson(client, person) }
    const body = { into: await resolvePerson(client, into) }
    return unwrapAnswer(await client.mergePersons({ params, body }))
  })
  return reportPerson(call, done.person_id, `and ${person} are one person`)
}

/** By id, or by a name that they have. What is neither is left to the server to refuse. */
async function resolvePerson(client: Client, text: string): Promise<string> {
  if (isBlank(text)) return text
  const { persons } = unwrapAnswer(await client.listPersons({ query: { who: text } }))
  return persons[0]?.person_id ?? text
}

function readPersons(client: Client): Promise<RowPage<Person>> {
  return collectRows(ALL_ROWS, async (query) => {
    const page = unwrapAnswer(await client.listPersons({ query }))
    return { rows: page.persons, next: page.next }
  })
}

function toIdentityBody(identity: Identity): Readonly<Record<string, string>> {
  switch (identity.kind) {
    case 'name':
      return { name: identity.name }
    case 'oidc':
      return { issuer: identity.issuer, sub: identity.sub }
    default:
      return assertUnreachable(identity)
  }
}

function reportPerson({ out }: CommandCall, person_id: string, words: string): ExitCode {
  out.line(`${out.symbol(SYMBOLS.allowed)} ${person_id} ${words}`)
  out.data({ person_id })
  return EXIT.done
}

function parseIdentityOptions({ options }: CommandCall): Identity {
  const name = options.text('name')
  const issuer = options.text('issuer')
  const sub = options.text('sub')
  if (name !== undefined && issuer === undefined && sub === undefined) return { kind: 'name', name }
  if (name === undefined && issuer !== undefined && sub !== undefined)
    return { kind: 'oidc', issuer, sub }
  throw createUsageFailure(
    'what they are known by is missing',
    'use --name NAME, or --issuer URL and --sub SUB',
  )
}

function formatIdentity(identity: Identity): string {
  return identity.kind === 'name' ? identity.name : `${identity.sub} at ${identity.issuer}`
}
