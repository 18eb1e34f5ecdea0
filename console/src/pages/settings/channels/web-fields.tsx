import type { ReactNode } from 'react'
import type { ChannelDraft } from './channel-draft.ts'
import type { ChangeDraft } from './channel-form.tsx'

/** Where a webhook, or Slack and what speaks like it, is posted to. */
export function WebFields({
  draft: { kind, url, isSecret, signing },
  change,
}: {
  readonly draft: ChannelDraft
  readonly change: ChangeDraft
}): ReactNode {
  return (
    <>
      <label>
        {isSecret ? 'Name of the secret that is the address' : 'Address'}
        <input
          value={url}
          className="mono"
          placeholder={isSecret ? 'SLACK_URL' : 'https://hooks.example.com/rubicon'}
          autoComplete="off"
          onChange={(event) => change({ url: event.target.value })}
        />
      </label>
      <label className="settings-check">
        <input
          type="checkbox"
          checked={isSecret}
          onChange={({ target }) => change({ isSecret: target.checked, url: '' })}
        />
        The address is secret: it stands in the channels file of the machine, and here is its name
      </label>
      {kind === 'webhook' ? (
        <label>
          Name of the secret that signs (optional)
          <input
            value={signing}
            className="mono"
            placeholder="WEBHOOK_KEY"
            autoComplete="off"
            onChange={(event) => change({ signing: event.target.value })}
          />
        </label>
      ) : null}
    </>
  )
}
