import type { Message } from '#contract/message.ts';
import type { User } from '#contract/user.ts';
import type { Outgoing } from './outbox.ts';
import { PENDING_SEQ } from './rows.ts';

/** A message on its way, as the list shows it. */
export const pendingOf = ({ clientId, text, writtenAt }: Outgoing, member: User): Message => ({
  id: clientId,
  channelId: '',
  seq: PENDING_SEQ,
  userId: member.id,
  user: userOf(member),
  message: text,
  isFromAdmin: member.role === 'admin',
  createdAt: writtenAt,
  clientId,
});

const userOf = ({ firstName, chatBubbleColor, chatTextColor }: User): Message['user'] => ({
  firstName,
  chatBubbleColor,
  chatTextColor,
});

/** The member's own messages in the colours that were chosen last, which the server says only with the next reading. */
export const withOwnColors = (messages: readonly Message[], member: User): Message[] =>
  messages.map((message) =>
    message.userId === member.id && !message.isFromAdmin ? { ...message, user: userOf(member) } : message,
  );
