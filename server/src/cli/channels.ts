/** `rubicon channels …`: where people are told. */
import type { Channel, ChannelPlace, NewChannel } from 'rubicon-agents/client'
import { NOTICE_KINDS } from 'rubicon-runtime/ports'
import { executeAsOperator } from './as-operator.ts'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, createUsageFailure, getArgument } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'
import { listOf } from './up-people.ts'

const QUIET_S = 60
const SMTP = /^(.+):(\d{1,5})$/

export async function listChannels(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const { channels } = await executeAsReader(call, async (client) =>
    unwrapAnswer(await client.listChannels()),
  )
  const rows = channels.map((channel) => [
    channel.name,
    channel.place.kind,
    formatPlace(channel.place),
    formatStanding(channel),
    String(channel.waiting),
  ])
  const head = ['CHANNEL', 'KIND', 'WHERE', 'LAST', 'WAITING']
  for (const line of formatTable([head, ...rows])) out.line(line)
  if (channels.length === 0)
    out.note(`${SYMBOLS.info} none: \`rubicon channels add NAME --kind webhook --url URL\``)
  out.data({ channels })
  return EXIT.done
}

function formatPlace(place: ChannelPlace): string {
  if (place.kind === 'mail') return `${place.to.join(', ')} by ${place.host}:${place.port}`
  return typeof place.url === 'string' ? place.url : `the secret ${place.url.secret}`
}

function formatStanding({ paused, problem, standing: { last, given_up } }: Channel): string {
  if (paused) return 'paused'
  if (problem !== null) return `cannot be sent: ${problem}`
  if (last === null) return given_up === null ? 'never used' : `given up: ${given_up.said}`
  return `${last.ok ? 'sent' : 'failed'} ${last.at}: ${last.said}`
}

export async function addChannel(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const body = parseChannel(call)
  const channel = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.addChannel({ body })),
  )
  out.line(
    `${out.symbol(SYMBOLS.allowed)} ${channel.name} is set up: ${formatPlace(channel.place)}`,
  )
  out.note(`${SYMBOLS.info} next: \`rubicon channels test ${channel.name}\``)
  out.data({ ...channel })
  return EXIT.done
}

function parseChannel(call: CommandCall): NewChannel {
  const { options } = call
  const tells = options.text('tells')
  return {
    name: getArgument(call, 0, 'NAME'),
    place: parsePlace(call),
    tells: (tells === undefined ? NOTICE_KINDS : listOf(tells)) as NewChannel['tells'],
    least: (options.text('least') ?? 'info') as NewChannel['least'],
    quiet_s: options.count('quiet', QUIET_S),
    paused: false,
  }
}

function parsePlace(call: CommandCall): ChannelPlace {
  const { options } = call
  const kind = options.getRequired('kind', '--kind KIND')
  if (kind === 'webhook') {
    const signing = options.text('signingSecret')
    const signed = signing === undefined ? {} : { signing: { secret: signing } }
    return { kind, url: parseUrl(call), ...signed }
  }
  if (kind === 'slack') return { kind, url: parseUrl(call) }
  if (kind === 'mail') return parseMailPlace(call)
  throw createUsageFailure(`\`${kind}\` is no kind of channel`, 'use webhook, slack or mail')
}

function parseUrl({ options }: CommandCall): string | { readonly secret: string } {
  const secret = options.text('urlSecret')
  return secret === undefined ? options.getRequired('url', '--url URL') : { secret }
}

function parseMailPlace({ options }: CommandCall): ChannelPlace {
  const [, host, port] = SMTP.exec(options.getRequired('smtp', '--smtp HOST:PORT')) ?? []
  if (host === undefined)
    throw createUsageFailure('the mail server is no HOST:PORT', 'use --smtp smtp.example.com:465')
  const user = options.text('user')
  const password = options.text('passwordSecret')
  return {
    kind: 'mail',
    host,
    port: Number(port),
    security: (options.text('security') ?? 'tls') as 'tls',
    from: options.getRequired('from', '--from ADDRESS'),
    to: [...listOf(options.getRequired('to', '--to ADDRESSES'))],
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password: { secret: password } }),
  }
}

export async function testChannel(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const name = getArgument(call, 0, 'NAME')
  const result = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.testChannel({ params: { name }, body: {} })),
  )
  const symbol = out.symbol(result.ok ? SYMBOLS.allowed : SYMBOLS.rejected)
  out.line(`${symbol} ${name}: ${result.said}`)
  out.data({ ...result })
  return result.ok ? EXIT.done : EXIT.findings
}

export async function removeChannel(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const name = getArgument(call, 0, 'NAME')
  await confirm(call, { what: `\`${name}\` is told nothing more`, name })
  const { removed } = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.removeChannel({ params: { name } })),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${removed} is removed`)
  out.data({ removed })
  return EXIT.done
}
