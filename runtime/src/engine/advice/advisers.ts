/**
 * What runs beside the kernel and may be slow, wrong or down: notices, soft guards, auditors. Nothing
 * waits for it, except where strict guards were asked for.
 */
import type { AuthorityCache } from '../authority/authority-cache.ts'
import type { Deps } from '../deps.ts'
import { ChannelSender } from '../notices/channel-sender.ts'
import { NoticeSender } from '../notices/send.ts'
import { Auditors } from './audit.ts'
import { SoftGuards } from './soft-guards.ts'

export class Advisers {
  readonly notices: NoticeSender
  readonly channels: ChannelSender
  readonly guards: SoftGuards
  readonly auditors: Auditors

  constructor(deps: Deps, authorities: AuthorityCache) {
    this.notices = new NoticeSender(deps)
    this.channels = new ChannelSender(deps)
    this.guards = new SoftGuards({ ...deps, authorities })
    this.auditors = new Auditors(deps, authorities)
  }

  /** Starts on what there is to do. */
  async round(): Promise<void> {
    this.auditors.round()
    await this.guards.flushQuestions()
    await this.notices.round()
    await this.channels.round()
  }

  /** Waits until nothing is under way: for whoever drives the engine by hand. */
  async awaitSettled(): Promise<void> {
    await this.guards.awaitSettled()
    await this.auditors.awaitSettled()
    await this.notices.awaitSettled()
    await this.channels.awaitSettled()
  }

  /** What has no answer yet is not waited for. */
  async stop(): Promise<void> {
    const { guards, auditors, notices, channels } = this
    await Promise.all([guards.stop(), auditors.stop(), notices.stop(), channels.stop()])
  }
}
