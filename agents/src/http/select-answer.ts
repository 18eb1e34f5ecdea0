import type { ClientAnswer } from '../call.ts'

/**
 * Whoever is refused when they ask again (too often, suspended, another version) was perhaps heard before: that says nothing
 * about the request that was lost, which stays so unless there is a verdict.
 */
export async function selectAnswer<Body>(
  asked: Promise<ClientAnswer<Body>>,
  lost: ClientAnswer<Body>,
): Promise<ClientAnswer<Body>> {
  const again = await asked.catch(() => lost)
  return again.ok || again.problem.answer !== undefined ? again : lost
}
