import type { ReactNode } from 'react'
import type { ChannelDraft } from './channel-draft.ts'
import type { ChangeDraft } from './channel-form.tsx'

const SECURITIES = ['tls', 'starttls', 'none'] as const
const WORDS = { tls: 'TLS', starttls: 'STARTTLS', none: 'none, on this machine only' } as const
const PORTS = { tls: '465', starttls: '587', none: '25' } as const

type TextName = 'host' | 'port' | 'from' | 'to' | 'user' | 'password'

const FIELDS: readonly (readonly [TextName, string, string])[] = [
  ['from', 'From', 'rubicon@example.com'],
  ['to', 'To, separated by commas', 'ops@example.com'],
  ['user', 'User (optional)', 'rubicon'],
  ['password', 'Name of the secret that is the password', 'SMTP_PASSWORD'],
]

/** A mail server, and who writes to whom. */
export function MailFields({
  draft,
  change,
}: {
  readonly draft: ChannelDraft
  readonly change: ChangeDraft
}): ReactNode {
  const renderField = ([name, label, placeholder]: (typeof FIELDS)[number]): ReactNode => (
    <label key={name}>
      {label}
      <input
        value={draft[name]}
        placeholder={placeholder}
        autoComplete="off"
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </label>
  )
  return (
    <>
      <div className="settings-pair">
        {renderField(['host', 'Mail server', 'smtp.example.com'])}
        {renderField(['port', 'Port', '465'])}
        <label>
          Encryption
          <select
            value={draft.security}
            onChange={({ target }) => {
              const security = SECURITIES.find((one) => one === target.value) ?? 'tls'
              change({ security, port: PORTS[security] })
            }}
          >
            {SECURITIES.map((one) => (
              <option key={one} value={one}>
                {WORDS[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="settings-pair">{FIELDS.map(renderField)}</div>
    </>
  )
}
