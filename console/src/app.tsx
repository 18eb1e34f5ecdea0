/** From the address to a page, for whoever is signed in. */
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { AnyProblem, Session } from 'rubicon-agents/client'
import { LiveProvider } from './api/live.tsx'
import { createSessionClient, SignedInProvider, stranger } from './api/session.tsx'
import { WaitingProvider } from './api/waiting.tsx'
import { Frame } from './frame/frame.tsx'
import { KeysProvider } from './keys/keys.tsx'
import { DesktopNotices } from './notices/desktop-notices.tsx'
import { NoticesProvider } from './notices/notice-choice.tsx'
import { renderPage, usePageForOffline } from './pages/page-for.tsx'
import { SignInPage } from './pages/sign-in/sign-in-page.tsx'
import { SignedOutOver } from './pages/sign-in/signed-out-over.tsx'
import { Loading } from './parts/outcomes.tsx'
import { ToastProvider } from './parts/toast.tsx'
import { TimeProvider } from './time/time.tsx'
import { usePlace } from './url/location.ts'
import { parsePage } from './url/pages.ts'
import { listenForToken, takeToken } from './url/token.ts'

type Door =
  | { readonly state: 'asking' }
  /** `problem`: the link had a token that lets nobody in. */
  | { readonly state: 'out'; readonly problem: AnyProblem | null }
  /** `lost`: the server no longer knows the session; the page stays until somebody signs in again. */
  | { readonly state: 'in'; readonly session: Session; readonly lost: boolean }

export function App(): ReactNode {
  const [door, setDoor] = useState<Door>({ state: 'asking' })
  const entered = useCallback(
    (session: Session) => setDoor({ state: 'in', session, lost: false }),
    [],
  )
  const lost = useCallback(
    () => setDoor((before) => (before.state === 'in' ? { ...before, lost: true } : before)),
    [],
  )
  useEffect(() => {
    void resumeSession().then((found) =>
      'session' in found ? entered(found.session) : setDoor({ state: 'out', ...found }),
    )
  }, [entered])
  const isIn = door.state === 'in' && !door.lost
  // It stays who it is, and the token leaves the address.
  useEffect(() => (isIn ? listenForToken(() => {}) : undefined), [isIn])
  if (door.state === 'asking') return <Knocking />
  if (door.state === 'out') return <SignInPage entered={entered} refused={door.problem} />
  const { name, tenant } = door.session
  return (
    <>
      {/* Somebody else begins with a page of their own. */}
      <Inside key={`${tenant} ${name}`} session={door.session} lost={lost} />
      {door.lost ? <SignedOutOver entered={entered} /> : null}
    </>
  )
}

/**
 * Whoever is signed in stays who they are: a link with somebody's token does not make them somebody else.
 * For the rest, a token in the address is exchanged for a session.
 */
async function resumeSession(): Promise<
  { readonly session: Session } | { readonly problem: AnyProblem | null }
> {
  const token = takeToken()
  const found = await stranger.signInWays()
  if (found.ok && found.body.session !== null) return { session: found.body.session }
  if (token === null) return { problem: null }
  const started = await stranger.startSession({ body: { token } })
  return started.ok ? { session: started.body } : { problem: started.problem }
}

function Knocking(): ReactNode {
  return (
    <main>
      <h1 className="unseen">Rubicon</h1>
      <Loading what="the console" />
    </main>
  )
}

function Inside({
  session,
  lost,
}: {
  readonly session: Session
  readonly lost: () => void
}): ReactNode {
  const signedIn = useMemo(
    () => ({ client: createSessionClient(session, lost), session }),
    [session, lost],
  )
  usePageForOffline()
  const { path } = usePlace()
  const { page, id } = parsePage(path)
  return (
    <SignedInProvider signedIn={signedIn}>
      <TimeProvider>
        <KeysProvider>
          <LiveProvider session={session} lost={lost}>
            <WaitingProvider>
              <ToastProvider>
                <NoticesProvider>
                  <DesktopNotices />
                  <Frame page={page}>{renderPage(page, id)}</Frame>
                </NoticesProvider>
              </ToastProvider>
            </WaitingProvider>
          </LiveProvider>
        </KeysProvider>
      </TimeProvider>
    </SignedInProvider>
  )
}
