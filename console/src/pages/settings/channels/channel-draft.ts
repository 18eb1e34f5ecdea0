/** What is typed of a channel, as text, and the settings that it makes. */
import type { ChannelPlace, NewChannel, NoticeKind } from 'rubicon-agents/client'
import { NOTICES } from './channel-words.ts'

export type ChannelDraft = {
  readonly name: string
  readonly kind: ChannelPlace['kind']
  readonly url: string
  /** The address is the name of a secret. */
  readonly isSecret: boolean
  readonly signing: string
  readonly host: string
  readonly port: string
  readonly security: 'tls' | 'starttls' | 'none'
  readonly from: string
  readonly to: string
  readonly user: string
  readonly password: string
  readonly tells: readonly NoticeKind[]
  readonly least: NewChannel['least']
  readonly quiet: string
  readonly paused: boolean
}

export const EMPTY_DRAFT: ChannelDraft = {
  ...{ name: '', kind: 'webhook', url: '', isSecret: false, signing: '' },
  ...{ host: '', port: '465', security: 'tls', from: '', to: '', user: '', password: '' },
  ...{ tells: NOTICES, least: 'info', quiet: '60', paused: false },
}

export function toDraft({ name, place, tells, least, quiet_s, paused }: NewChannel): ChannelDraft {
  return {
    ...EMPTY_DRAFT,
    ...{ name, tells, least, paused, quiet: String(quiet_s), kind: place.kind },
    ...toPlaceDraft(place),
  }
}

function toPlaceDraft(place: ChannelPlace): Partial<ChannelDraft> {
  if (place.kind !== 'mail') {
    const isSecret = typeof place.url !== 'string'
    const url = typeof place.url === 'string' ? place.url : place.url.secret
    const signing = place.kind === 'webhook' ? (place.signing?.secret ?? '') : ''
    return { url, isSecret, signing }
  }
  const { host, port, security, from, to, user = '', password } = place
  return {
    ...{ host, port: String(port), security, from, to: to.join(', '), user },
    password: password?.secret ?? '',
  }
}

export function toSettings(draft: ChannelDraft): NewChannel {
  const { name, tells, least, quiet, paused } = draft
  return {
    ...{ name: name.trim(), tells, least, paused, place: toPlace(draft) },
    quiet_s: Number(quiet),
  }
}

function toPlace(draft: ChannelDraft): ChannelPlace {
  const { kind, isSecret, signing, host, port, security, from, user, password } = draft
  const url = isSecret ? { secret: draft.url.trim() } : draft.url.trim()
  if (kind === 'slack') return { kind, url }
  if (kind === 'webhook')
    return { kind, url, ...(signing === '' ? {} : { signing: { secret: signing.trim() } }) }
  const to = draft.to.split(/[\s,;]+/).filter((one) => one !== '')
  return {
    ...{ kind, host: host.trim(), port: Number(port), security, from: from.trim(), to },
    ...(user === '' ? {} : { user: user.trim() }),
    ...(password === '' ? {} : { password: { secret: password.trim() } }),
  }
}

/** What is still missing, or null. */
export function findMissing(draft: ChannelDraft): string | null {
  const { name, kind, url, host, from, to, quiet, port } = draft
  if (!/^[A-Za-z0-9._:@-]{1,128}$/.test(name.trim())) return 'a name of letters, digits and . _ -'
  if (kind !== 'mail' && url.trim() === '') return 'an address'
  if (kind === 'mail' && [host, from, to].some((one) => one.trim() === ''))
    return 'the mail server, a sender and an addressee'
  if (kind === 'mail' && !/^\d{1,5}$/.test(port)) return 'the port of the mail server'
  return /^\d{1,5}$/.test(quiet) && Number(quiet) <= 86_400 ? null : 'a quiet time up to 86400 s'
}
