/** A channel as it is set up or changed. What was typed stays until the server has said yes. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Channel } from 'rubicon-agents/client'
import { useDeed } from '../../../api/use-deed.ts'
import { Failed } from '../../../parts/outcomes.tsx'
import {
  type ChannelDraft,
  EMPTY_DRAFT,
  findMissing,
  toDraft,
  toSettings,
} from './channel-draft.ts'
import { KIND_WORDS, NOTICE_WORDS, NOTICES, SEVERITY_WORDS } from './channel-words.ts'
import { MailFields } from './mail-fields.tsx'
import { WebFields } from './web-fields.tsx'
import '../../../parts/field-form.css'

export type ChangeDraft = (change: Partial<ChannelDraft>) => void

export function ChannelForm({
  channel,
  done,
}: {
  /** Null: a new one. */
  readonly channel: Channel | null
  readonly done: (name: string) => void
}): ReactNode {
  const [draft, setDraft] = useState(channel === null ? EMPTY_DRAFT : toDraft(channel))
  const { busy, problem, perform } = useDeed()
  const change: ChangeDraft = (part) => setDraft((before) => ({ ...before, ...part }))
  const missing = findMissing(draft)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (missing !== null) return
    const { name, ...settings } = toSettings(draft)
    const saved = await perform((client) =>
      channel === null
        ? client.addChannel({ body: { name, ...settings } })
        : client.changeChannel({
            params: { name: channel.name },
            body: { ...settings, revision: channel.revision },
          }),
    )
    if (saved !== null) done(saved.name)
  }
  return (
    <form className="stack field-form" onSubmit={send}>
      {channel === null ? (
        <label>
          Name
          <input
            value={draft.name}
            placeholder="ops"
            onChange={(event) => change({ name: event.target.value })}
          />
        </label>
      ) : null}
      <KindChoice draft={draft} change={change} />
      {draft.kind === 'mail' ? (
        <MailFields draft={draft} change={change} />
      ) : (
        <WebFields draft={draft} change={change} />
      )}
      <TellsFields draft={draft} change={change} />
      {problem === null ? null : <Failed problem={problem} />}
      <p className="row">
        <button type="submit" className="main" disabled={missing !== null || busy}>
          {busy ? 'Saving…' : channel === null ? 'Add channel' : 'Save'}
        </button>
        {missing === null ? null : <span className="quiet small">It needs {missing}.</span>}
      </p>
    </form>
  )
}

type FieldsProps = { readonly draft: ChannelDraft; readonly change: ChangeDraft }

function KindChoice({ draft, change }: FieldsProps): ReactNode {
  const kinds = ['webhook', 'slack', 'mail'] as const
  return (
    <fieldset>
      <legend>Kind</legend>
      <div className="row">
        {kinds.map((kind) => (
          <label key={kind} className="settings-check">
            <input
              type="radio"
              name="kind"
              checked={draft.kind === kind}
              onChange={() => change({ kind })}
            />
            {KIND_WORDS[kind]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function TellsFields({ draft, change }: FieldsProps): ReactNode {
  const { tells, least, quiet } = draft
  const severities = ['info', 'warning', 'critical'] as const
  return (
    <>
      <fieldset>
        <legend>Tells when</legend>
        <div className="settings-checks">
          {NOTICES.map((kind) => (
            <label key={kind} className="settings-check">
              <input
                type="checkbox"
                checked={tells.includes(kind)}
                onChange={({ target }) =>
                  change({
                    tells: NOTICES.filter((one) =>
                      one === kind ? target.checked : tells.includes(one),
                    ),
                  })
                }
              />
              {NOTICE_WORDS[kind]}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="settings-pair">
        <label>
          Of these
          <select
            value={least}
            onChange={({ target }) =>
              change({ least: severities.find((one) => one === target.value) ?? 'info' })
            }
          >
            {severities.map((one) => (
              <option key={one} value={one}>
                {SEVERITY_WORDS[one]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Seconds between messages
          <input
            inputMode="numeric"
            value={quiet}
            onChange={(event) => change({ quiet: event.target.value })}
          />
        </label>
      </div>
      <p className="quiet small">
        The first notice is sent at once; what comes within that time goes into one message.
        Contracts that name this channel tell it in any case.
      </p>
    </>
  )
}
