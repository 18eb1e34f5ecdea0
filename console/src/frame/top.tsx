/** Above every page: whether it is live, how time is written, and who is signed in. */
import { type ReactNode, useState } from 'react'
import { useLive } from '../api/live.tsx'
import { useSession } from '../api/session.tsx'
import { readChoice, writeChoice } from '../choice.ts'
import { formatKeyName } from '../keys/key-name.ts'
import { Status } from '../parts/status.tsx'
import { useTime } from '../time/time.tsx'
import './top.css'

export function Top({ openPalette }: { readonly openPalette: () => void }): ReactNode {
  const { session, client } = useSession()
  const { utc, setUtc } = useTime()
  const signOut = async (): Promise<void> => {
    const ended = await client.endSession()
    // The provider, where there is one, has a session of its own to end. Nothing stays on the screen.
    location.assign(ended.ok ? (ended.body.provider ?? '/') : '/')
  }
  return (
    <header className="top">
      <button type="button" className="top-search" onClick={openPalette}>
        Go to… <kbd>{formatKeyName('mod+k')}</kbd>
      </button>
      <LiveSwitch />
      <label className="top-switch">
        <input type="checkbox" checked={utc} onChange={() => setUtc(!utc)} /> UTC
      </label>
      <ThemeSwitch />
      <span className="top-who" title={session.roles.join(', ')}>
        {session.shown} <span className="quiet">{session.tenant}</span>
      </span>
      <button type="button" className="plain" onClick={signOut}>
        Sign out
      </button>
    </header>
  )
}

function LiveSwitch(): ReactNode {
  const { state, changePause } = useLive()
  const standing = state === 'live' ? 'allowed' : state === 'paused' ? 'repeated' : 'waiting'
  return (
    <span className="top-live">
      <span role="status">
        <Status standing={standing} word={state} />
      </span>{' '}
      <button type="button" className="plain" onClick={() => changePause(state !== 'paused')}>
        {state === 'paused' ? 'Resume' : 'Pause'}
      </button>
    </span>
  )
}

const THEMES = ['system', 'light', 'dark'] as const

function ThemeSwitch(): ReactNode {
  const [theme, setTheme] = useState(() => readChoice('theme') ?? 'system')
  const choose = (chosen: string): void => {
    setTheme(chosen)
    writeChoice('theme', chosen)
    document.documentElement.dataset.theme = chosen
  }
  return (
    <label className="top-switch">
      <span className="unseen">theme</span>
      <select value={theme} onChange={(event) => choose(event.target.value)}>
        {THEMES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}
