import { CardSkeleton } from '#web/ui/skeleton-parts.tsx';

/** The invitation card without words, in a document and while the card's code loads. */
export const InviteSkeleton = () => <CardSkeleton heights={[164, 96, 96]} lines={1} />;
