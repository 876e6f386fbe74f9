import * as contract from '#contract/chat.ts';
import { GENERAL_CHANNEL_ID } from '#contract/chat.ts';
import { memberKey } from '#platform/http/admission.ts';
import { handle } from '#platform/http/handle.ts';
import type { Limit } from '#platform/http/limits.ts';
import type { Platform } from '#platform/platform.ts';
import {
  markRead,
  muteMember,
  readChannels,
  readMessages,
  type TicketsOfChannels,
  unmuteMember,
  writeMessage,
} from './chat.ts';
import type { KeptWords } from './kept-words.ts';
import { onlineReader } from './online.ts';

export const writtenMessages: Limit = { name: 'messages', max: 10, perS: 10, scaledIn: 'live-and-sandbox' };
/** Many members can share an address: a phone network, a campus. */
export const messagesOfSource: Limit = {
  name: 'messages-of-source',
  max: 100,
  perS: 10,
  scaledIn: 'live-and-sandbox',
};

/** No slow mode stands in a ticket's channel, so one member could fill the disk and the operators' list. */
export const ticketMessages: Limit = {
  name: 'ticket-messages',
  max: 200,
  perS: 24 * 60 * 60,
  scaledIn: 'live-and-sandbox',
};

/** HTTP for members: channels and messages, what was read, mutes, and who is online. */
export function chatRoutes(platform: Platform, words: KeptWords, tickets: TicketsOfChannels): void {
  const { presence } = platform;
  const readOnline = onlineReader(platform);
  handle(platform, contract.readChannels, ({ caller }) => readChannels(platform, caller));
  handle(platform, contract.readMessages, ({ caller, params, query }) =>
    readMessages(platform, caller, BigInt(params.channelId), query),
  );
  handle(
    platform,
    contract.postMessage,
    ({ caller, body }) => writeMessage(platform, words, tickets, caller, body),
    {
      limits: [
        { limit: writtenMessages, by: ({ caller }) => memberKey(caller.id) },
        { limit: messagesOfSource, by: ({ ip }) => ip },
        {
          limit: ticketMessages,
          by: ({ caller, body: { channelId } }) =>
            channelId === GENERAL_CHANNEL_ID || caller.role === 'admin' ? null : memberKey(caller.id),
        },
      ],
    },
  );
  handle(platform, contract.markRead, async ({ caller, params, body }) => {
    await markRead(platform, caller, BigInt(params.channelId), BigInt(body.upTo));
    return null;
  });
  handle(platform, contract.muteMember, async ({ caller, body }) => {
    await muteMember(platform, caller.id, BigInt(body.userId));
    return null;
  });
  handle(platform, contract.unmuteMember, async ({ caller, params }) => {
    await unmuteMember(platform, caller.id, BigInt(params.userId));
    return null;
  });
  handle(platform, contract.goOnline, async ({ caller }) => {
    presence.goOnline(caller.id);
    return null;
  });
  handle(platform, contract.goOffline, async ({ caller }) => {
    presence.goOffline(caller.id);
    return null;
  });
  handle(platform, contract.readOnlineUsers, readOnline);
}
