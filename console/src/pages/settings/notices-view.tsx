/** Whether this browser tells its reader that something waits for them. */
import type { ReactNode } from 'react'
import { type NoticeState, useNotices } from '../../notices/notice-choice.tsx'

export function NoticesView(): ReactNode {
  const { state, enable, disable } = useNotices()
  const isOn = state === 'on'
  return (
    <div className="appearance stack">
      <fieldset className="appearance-choices">
        <legend>Desktop notifications</legend>
        <p className="quiet small">
          When a request waits for you and you look elsewhere. They say what is asked, of what and
          how much, and never the agent’s words. They come while the console is open in a tab; a
          browser may take a minute for one that is not seen.
        </p>
        <p className="row">
          <label className="appearance-choice">
            <input
              type="checkbox"
              checked={isOn}
              disabled={state === 'missing'}
              onChange={() => (isOn ? disable() : void enable())}
            />
            Notify me in this browser
          </label>
        </p>
        <p className="small" role="status">
          {STATES[state]}
        </p>
      </fieldset>
    </div>
  )
}

const STATES: Readonly<Record<NoticeState, string>> = {
  on: 'On, in this browser.',
  off: 'Off. The browser asks you once when you switch them on.',
  denied:
    'This browser was told not to show notifications of this address. Allow them beside the address, and load the page again.',
  missing:
    'This browser has no notifications here: they need https, or an address of this machine.',
}
