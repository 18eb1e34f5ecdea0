/** `channels …`. */
import { channelList, channelResult, shownChannel } from '../../http/schemas/channel.ts'
import { buildClosedSchema, type Family, text } from './shape.ts'

export const CHANNELS: Family = {
  'channels list': { prints: 'the notification channels, and how each stands', shape: channelList },
  'channels add': { prints: 'the channel as it is set up', shape: shownChannel },
  'channels test': { prints: 'what came back of a test message', shape: channelResult },
  'channels remove': {
    prints: 'which channel is removed',
    shape: buildClosedSchema({ removed: text }),
  },
}
