/** Whether this browser shows notifications of the console: switched on by its reader, and allowed by the browser. */
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { readChoice, writeChoice } from '../choice.ts'

/** `denied`: the browser was told not to. `missing`: it has none for this address. */
export type NoticeState = 'on' | 'off' | 'denied' | 'missing'

export type Notices = {
  readonly state: NoticeState
  /** Asks the browser, which asks its reader the first time. */
  readonly enable: () => Promise<void>
  readonly disable: () => void
}

const NoticesContext = createContext<Notices>({
  state: 'off',
  enable: async () => {},
  disable: () => {},
})

export function NoticesProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [state, setState] = useState(readState)
  const notices = useMemo<Notices>(
    () => ({
      state,
      async enable() {
        if (!hasNotifications()) return setState('missing')
        const permission = await Notification.requestPermission()
        if (permission === 'granted') writeChoice('notices', 'on')
        setState(readState())
      },
      disable() {
        writeChoice('notices', 'off')
        setState(readState())
      },
    }),
    [state],
  )
  return <NoticesContext value={notices}>{children}</NoticesContext>
}

export function useNotices(): Notices {
  return useContext(NoticesContext)
}

function readState(): NoticeState {
  if (!hasNotifications()) return 'missing'
  if (Notification.permission === 'denied') return 'denied'
  const isOn = readChoice('notices') === 'on' && Notification.permission === 'granted'
  return isOn ? 'on' : 'off'
}

/** Browsers have none for a plain `http` address that is not of this machine. */
function hasNotifications(): boolean {
  return 'Notification' in window && window.isSecureContext
}
