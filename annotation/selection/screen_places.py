"""What stands on one screen beside its lead, where a screen has several items."""

from annotation.models import Assignment, Campaign, Item


def has_many(campaign: Campaign) -> bool:
    """Whether screens may have several items."""
    return campaign.rules.layout.has_many(campaign.config)


def screen_of(lead: Assignment, campaign: Campaign) -> list[Assignment]:
    """Return all assignments of a screen, by its lead."""
    if not has_many(campaign):
        return [lead]
    others = Assignment.objects.filter(
        annotator=lead.annotator_id,
        position=lead.position,
        lead=False,
        item__screen=lead.item.screen,
    )
    return [lead, *others.select_related("item").order_by("pk")]


def items_of_screen(lead: Item, campaign: Campaign) -> list[Item]:
    """Return all items of a screen, by its lead."""
    if not has_many(campaign):
        return [lead]
    others = Item.objects.filter(campaign=campaign, screen=lead.screen, kind=lead.kind, lead=False)
    return [lead, *others.order_by("pk")]


def whole_screen(item: Item, campaign: Campaign) -> list[Item]:
    """Return all items of a screen, by any of them."""
    if not has_many(campaign):
        return [item]
    items = Item.objects.filter(campaign=campaign, screen=item.screen, kind=item.kind)
    return list(items.order_by("-lead", "pk"))
