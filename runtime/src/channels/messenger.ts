/**
 * Carries messages to webhooks, to Slack and what speaks like it, and to mail servers.
 *
 * M1 a message goes to addresses that the rules of the machine allow, looked at once and connected to as they were.
 * M2 a secret is read last, goes to the hosts that the rules name for it, and is removed from what comes back.
 * M3 what leaves this machine is encrypted.
 */
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { assertUnreachable, escapeControls, LIMITS, shorten } from 'rubicon-kernel'
import {
  type ChannelAddress,
  type ChannelMessage,
  type ChannelPlace,
  type MailPlace,
  type Messenger,
  NotDelivered,
  type SecretName,
  type SlackPlace,
  type WebhookPlace,
} from '../ports/channel.ts'
import { SecretUnavailable } from '../ports/secrets.ts'
import type { ConnectionOptions } from '../tools/http/open-connection.ts'
import {
  type ResolveHost,
  resolveByNameServers,
  resolveBySystem,
} from '../tools/http/resolve-host.ts'
import { createRedaction } from '../tools/redaction.ts'
import type { ChannelRules } from './channel-rules.ts'
import {
  type ChannelTarget,
  connectTo,
  findTargetProblem,
  type ParsedAddress,
  parseAddress,
  toTarget,
} from './channel-target.ts'
import { isMailAddress } from './mail-address.ts'
import { describeMessage } from './message-words.ts'
import { type PostedAnswer, postJson } from './post-json.ts'
import { sendMail } from './send-mail.ts'
import { signWebhook } from './sign-webhook.ts'
import { buildSlackBody } from './slack-body.ts'

export type MessengerOptions = {
  readonly rules: ChannelRules
  /** Where people open what a message is about; null: messages have no links. */
  readonly consoleUrl: string | null
  readonly resolve?: ResolveHost
  readonly connection?: ConnectionOptions
}

export function createMessenger(options: MessengerOptions): Messenger {
  return {
    findProblem: (place) => findPlaceProblem(options.rules, place),
    async deliver(place, message, signal) {
      const problem = findPlaceProblem(options.rules, place)
      if (problem !== null) throw new NotDelivered(problem)
      const hidden: string[] = []
      const delivery = new Delivery(options, message, signal, hidden)
      try {
        const said = await delivery.send(place)
        return removeSecrets(said, hidden)
      } catch (error) {
        // Whoever is not of ours may quote what it was given.
        if (!(error instanceof NotDelivered)) throw new NotDelivered('it could not be sent')
        throw new NotDelivered(removeSecrets(error.message, hidden))
      }
    },
  }
}

/** One line without secrets, and without what a terminal or a reader would obey. */
function removeSecrets(said: string, hidden: readonly string[]): string {
  const line = createRedaction(hidden).redactText(said).replaceAll(/\s+/g, ' ').trim()
  return shorten(escapeControls(line), SAID_LENGTH)
}

const SAID_LENGTH = 300

class Delivery {
  readonly #options: MessengerOptions
  readonly #message: ChannelMessage
  readonly #signal: AbortSignal
  /** Everything that must not come back. */
  readonly #hidden: string[]

  constructor(
    options: MessengerOptions,
    message: ChannelMessage,
    signal: AbortSignal,
    hidden: string[],
  ) {
    this.#options = options
    this.#message = message
    this.#signal = signal
    this.#hidden = hidden
  }

  send(place: ChannelPlace): Promise<string> {
    switch (place.kind) {
      case 'webhook':
        return this.#sendWebhook(place)
      case 'slack':
        return this.#sendSlack(place)
      case 'mail':
        return this.#sendMail(place)
      default:
        return assertUnreachable(place)
    }
  }

  async #sendWebhook({ url, signing }: WebhookPlace): Promise<string> {
    const { notices, tenant, at, channel } = this.#message
    const address = await this.#readAddress(url)
    const body = JSON.stringify({
      ...{ tenant, channel: channel.name, at, test: notices.length === 0, notices },
    })
    const named = notices.map(({ id, at: when }) => `${when} ${id}`).join('\n')
    const id = createHash('sha256')
      .update(`${channel.name}\n${named || at}`)
      .digest('hex')
    const key = signing === undefined ? null : await this.#readSecret(signing, address)
    return this.#post(address, body, signWebhook(key, id, at, body))
  }

  async #sendSlack({ url }: SlackPlace): Promise<string> {
    const address = await this.#readAddress(url)
    const body = buildSlackBody(describeMessage(this.#message, this.#options.consoleUrl))
    return this.#post(address, JSON.stringify(body), {})
  }

  async #sendMail(place: MailPlace): Promise<string> {
    const { host, port, password } = place
    const words = describeMessage(this.#message, this.#options.consoleUrl)
    const { certificates } = this.#options.connection ?? {}
    // A library that speaks TLS is handed a connection without it.
    const socket = await this.#connect({ scheme: 'http', host, port })
    try {
      const secret = password === undefined ? null : await this.#readSecret(password, place)
      const trusted = certificates === undefined ? {} : { certificates }
      return await sendMail(socket, { place, words, password: secret, ...trusted }, this.#signal)
    } finally {
      socket.destroy()
    }
  }

  async #post(
    address: ParsedAddress,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<string> {
    const socket = await this.#connect(address)
    const { host, port, path, scheme } = address
    const usual = scheme === 'https' ? 443 : 80
    const named = port === usual ? host : `${host}:${port}`
    const post = { host: named, path, headers, body }
    return readPosted(dropCutSecret(await postJson(socket, post, this.#signal), this.#hidden))
  }

  #connect(address: Pick<ParsedAddress, 'scheme' | 'host' | 'port'>): Promise<Socket> {
    const { rules, resolve, connection = {} } = this.#options
    const target = toTarget(rules, address)
    return connectTo(target, resolve ?? chooseLookup(target), connection, this.#signal)
  }

  /** In clear, or a secret that goes to its own host alone. */
  async #readAddress(url: ChannelAddress): Promise<ParsedAddress> {
    const text = typeof url === 'string' ? url : await this.#readNamed(url)
    const address = parseAddress(text)
    if (typeof address === 'string') throw new NotDelivered(address)
    const problem = findTargetProblem(toTarget(this.#options.rules, address))
    if (problem !== null) throw new NotDelivered(problem)
    if (typeof url === 'string') return address
    // A path is what is secret of such an address, and may come back alone, or a part of it.
    const parts = [address.path.slice(1), ...address.path.split(/[/?&=]/)]
    this.#hidden.push(...parts.filter((part) => part.length >= LIMITS.secretShortest))
    this.#checkHost(url, address)
    return address
  }

  async #readSecret(
    name: SecretName,
    address: Pick<ParsedAddress, 'host' | 'port'>,
  ): Promise<string> {
    this.#checkHost(name, address)
    return this.#readNamed(name)
  }

  /** Whoever may set up channels must not send a secret to a host of their own. */
  #checkHost({ secret }: SecretName, { host, port }: Pick<ParsedAddress, 'host' | 'port'>): void {
    const { hosts = [] } = this.#options.rules.secrets.get(secret) ?? {}
    if (!hosts.includes(`${host}:${port}`))
      throw new NotDelivered(`the secret \`${secret}\` is not for \`${host}:${port}\``)
  }

  async #readNamed({ secret }: SecretName): Promise<string> {
    const entry = this.#options.rules.secrets.get(secret)
    if (entry === undefined) throw new NotDelivered(describeUnknownSecret(secret))
    try {
      const value = await entry.source.read()
      this.#hidden.push(value)
      return value
    } catch (error) {
      const why = error instanceof SecretUnavailable ? error.message : 'it could not be read'
      throw new NotDelivered(`the secret \`${secret}\`: ${why}`)
    }
  }
}

/** What the machine names is known to its system, perhaps to nobody else. All others are whatever somebody typed. */
export function chooseLookup({ addresses }: Pick<ChannelTarget, 'addresses'>): ResolveHost {
  return addresses === 'public' ? resolveByNameServers : resolveBySystem
}

/** A part of a secret is none that is looked for: of an answer that was cut, the end goes where one could stand. */
function dropCutSecret(answer: PostedAnswer, hidden: readonly string[]): PostedAnswer {
  if (answer.whole) return answer
  const longest = Math.max(0, ...hidden.map(({ length }) => length))
  return { ...answer, text: answer.text.slice(0, -(1 + longest * LONGEST_CODING)) }
}

/** As in `\u0041` for one letter. */
const LONGEST_CODING = 6

function readPosted({ status, text }: Omit<PostedAnswer, 'whole'>): string {
  const said = `answered ${status}${text.trim() === '' ? '' : `: ${text}`}`
  if (status >= 200 && status < 300) return said
  const isElsewhere = status >= 300 && status < 400
  throw new NotDelivered(isElsewhere ? `answered ${status}: redirects are not followed` : said)
}

/** Whatever kind the channel is of: an address there is a key. */
const SLACK_HOSTS: ReadonlySet<string> = new Set(['hooks.slack.com', 'hooks.slack-gov.com'])

function findPlaceProblem(rules: ChannelRules, place: ChannelPlace): string | null {
  const named = listSecretNames(place).find((name) => !rules.secrets.has(name))
  if (named !== undefined) return describeUnknownSecret(named)
  if (place.kind === 'mail') return findMailProblem(rules, place)
  if (typeof place.url !== 'string') return null
  const address = parseAddress(place.url)
  if (typeof address === 'string') return address
  if (SLACK_HOSTS.has(address.host))
    return 'whoever has such an address can write to the channel: use a secret for all of it'
  return findTargetProblem(toTarget(rules, address))
}

function findMailProblem(rules: ChannelRules, place: MailPlace): string | null {
  const { host, port, security, from, to, user, password } = place
  const address = parseAddress(`https://${host}:${port}/`)
  if (typeof address === 'string' || address.host !== host) return `\`${host}\` is no host name`
  const target: ChannelTarget = toTarget(rules, { scheme: 'https', host, port })
  const denied = findTargetProblem(target)
  if (denied !== null) return denied
  if (security === 'none' && target.addresses !== 'loopback')
    return 'beyond this machine mail needs `tls` or `starttls`'
  const odd = [from, ...to].find((one) => !isMailAddress(one))
  if (odd !== undefined) return `\`${escapeControls(odd)}\` is no plain mail address`
  if (to.length === 0) return 'it has no addressee'
  if (to.length > LIMITS.channelAddressees)
    return `it has more than ${LIMITS.channelAddressees} addressees`
  return (user === undefined) === (password === undefined)
    ? null
    : 'to sign in, a user and a password are needed'
}

function listSecretNames(place: ChannelPlace): readonly string[] {
  const named =
    place.kind === 'mail'
      ? [place.password]
      : [place.url, place.kind === 'webhook' ? place.signing : undefined]
  return named.flatMap((one) => (typeof one === 'object' ? [one.secret] : []))
}

function describeUnknownSecret(name: string): string {
  return `the secret \`${name}\` is not in the channels file of the machine`
}
