/** One channel: where it leads, what came back last, and a test. */
import { type ReactNode, useState } from 'react'
import type { Channel, ChannelResult } from 'rubicon-agents/client'
import { useClient } from '../../../api/session.tsx'
import { useDeed } from '../../../api/use-deed.ts'
import { useKeys } from '../../../keys/keys.tsx'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Member, Members } from '../../../parts/members.tsx'
import { Failed } from '../../../parts/outcomes.tsx'
import { Status } from '../../../parts/status.tsx'
import { useToast } from '../../../parts/toast.tsx'
import { toVisibleText } from '../../../parts/visible-text.ts'
import { When } from '../../../parts/when.tsx'
import { go } from '../../../url/location.ts'
import { toSettingHref } from '../admin-list.tsx'
import { LookOnly, useIsOperator } from '../operators-only.tsx'
import { ChannelForm } from './channel-form.tsx'
import {
  describePlace,
  describeStanding,
  formatQuiet,
  KIND_WORDS,
  NOTICE_WORDS,
  NOTICES,
  SEVERITY_WORDS,
} from './channel-words.ts'

export function ChannelDetail({
  channel,
  changed,
}: {
  readonly channel: Channel
  readonly changed: () => void
}): ReactNode {
  const isOperator = useIsOperator()
  const { name, place, problem, standing, waiting } = channel
  return (
    <div className="stack settings-detail">
      <header className="row">
        <h2>{name}</h2>
        <Status {...describeStanding(channel)} />
      </header>
      {problem === null ? null : (
        <p className="settings-result settings-result-failed">{toVisibleText(problem)}</p>
      )}
      {isOperator ? <ChannelDeeds channel={channel} changed={changed} /> : <LookOnly />}
      <Members>
        <Member name="kind">{KIND_WORDS[place.kind]}</Member>
        <Member name="where">
          <span className="mono">{toVisibleText(describePlace(place))}</span>
        </Member>
        <PlaceMembers channel={channel} />
        <Member name="waiting">
          {waiting === 0 ? 'nothing' : `${waiting} notices`}
          {standing.next_at === null || waiting === 0 ? null : (
            <>
              , next <When at={standing.next_at} />
            </>
          )}
        </Member>
        <Member name="pace">{formatQuiet(channel.quiet_s)}</Member>
        <Member name="severity">{SEVERITY_WORDS[channel.least]}</Member>
        <Member name="changed">
          <When at={channel.changed_at} /> by {channel.changed_by ?? 'somebody on the machine'}
        </Member>
      </Members>
      {standing.last === null ? null : <LastResult result={standing.last} />}
      {standing.given_up === null ? null : (
        <section>
          <h3>Given up</h3>
          <p className="settings-result settings-result-failed">
            {standing.given_up.notices} notices <When at={standing.given_up.at} />:{' '}
            {toVisibleText(standing.given_up.said)}. They are kept; <code>npx rubicon doctor</code>{' '}
            counts them.
          </p>
        </section>
      )}
      <section>
        <h3>Tells when</h3>
        <ul>
          {NOTICES.filter((kind) => channel.tells.includes(kind)).map((kind) => (
            <li key={kind}>{NOTICE_WORDS[kind]}</li>
          ))}
        </ul>
        {channel.tells.length === 0 ? (
          <p className="quiet">Only what a contract addresses to it by name.</p>
        ) : null}
      </section>
    </div>
  )
}

function PlaceMembers({ channel: { place } }: { readonly channel: Channel }): ReactNode {
  if (place.kind === 'slack') return null
  if (place.kind === 'webhook')
    return (
      <Member name="signed">
        {place.signing === undefined ? 'no' : `with the secret ${place.signing.secret}`}
      </Member>
    )
  return (
    <>
      <Member name="server">
        <span className="mono">
          {place.host}:{place.port}
        </span>{' '}
        {place.security === 'none' ? 'without encryption' : `by ${place.security.toUpperCase()}`}
      </Member>
      <Member name="from">{place.from}</Member>
      {place.password === undefined ? null : (
        <Member name="signs in">
          as {place.user} with the secret {place.password.secret}
        </Member>
      )}
    </>
  )
}

export function LastResult({ result }: { readonly result: ChannelResult }): ReactNode {
  const { ok, said, at, notices } = result
  return (
    <section aria-label="last result">
      <h3>Last result</h3>
      <p className={`settings-result settings-result-${ok ? 'ok' : 'failed'}`} role="status">
        {ok ? '✔ ' : '✖ '}
        {notices === 0 ? 'A test message' : `${notices} notices`} <When at={at} />:{' '}
        <span className="mono">{toVisibleText(said)}</span>
      </p>
    </section>
  )
}

function ChannelDeeds({
  channel,
  changed,
}: {
  readonly channel: Channel
  readonly changed: () => void
}): ReactNode {
  const { name, paused, revision, place, tells, least, quiet_s } = channel
  const [editing, setEditing] = useState(false)
  const { busy, problem, perform } = useDeed()
  const client = useClient()
  const toast = useToast()
  const settings = { place, tells, least, quiet_s }
  const test = async (): Promise<void> => {
    await perform((asked) => asked.testChannel({ params: { name }, body: {} }))
    changed()
  }
  const pause = async (): Promise<void> => {
    const body = { ...settings, paused: !paused, revision }
    await perform((asked) => asked.changeChannel({ params: { name }, body }))
    changed()
  }
  useKeys([
    { keys: 't', does: 'send a test message', run: () => void test() },
    { keys: 'e', does: 'edit the channel', run: () => setEditing(true) },
  ])
  const handleRemoved = (): void => {
    const undo = (): void => {
      const body = { name, ...settings, paused }
      void client.addChannel({ body }).then(changed)
    }
    toast({ text: `${name} is removed.`, undo })
    changed()
    go(toSettingHref('channels', ''))
  }
  return (
    <>
      <div className="row">
        <button type="button" className="main" disabled={busy} onClick={() => void test()}>
          {busy ? 'Sending…' : 'Send test'}
        </button>
        <button type="button" onClick={() => setEditing(true)}>
          Edit…
        </button>
        <button type="button" disabled={busy} onClick={() => void pause()}>
          {paused ? 'Resume' : 'Pause'}
        </button>
        <ConfirmButton
          word="Remove"
          title={`Remove ${name}`}
          means={[
            `${name} is told nothing more.`,
            `${channel.waiting} notices wait for it; they are not sent.`,
            'Contracts that name it are told in the log instead.',
          ]}
          ask={(asked) => asked.removeChannel({ params: { name } })}
          done={handleRemoved}
        />
      </div>
      {problem === null ? null : <Failed problem={problem} />}
      <Dialog title={`Edit ${name}`} open={editing} close={() => setEditing(false)}>
        <ChannelForm
          channel={channel}
          done={() => {
            setEditing(false)
            changed()
          }}
        />
      </Dialog>
    </>
  )
}
